"""Reads of players: by name, in lists, their recent results, totals and head-to-head."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import reduce
from operator import or_

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from accounts.models.users import BOT_LEVEL_STEP
from accounts.names.validation import fold
from games.clocks import Pace
from games.errors import NotFound
from games.models import Match, Rating, RatingEvent, Seat, SeatFacts
from games.registry import RULES
from games.selectors.match_rows import MatchRow, match_rows
from games.selectors.ratings import SPARK, RatingCard, RatingPoint, rating_cards, rating_history
from games.selectors.statistics import PlayerStats, StatsRow, stats_by, stats_rows, total_stats

FORM = 10
MOST_RESULTS = 2000
"""How many of a player's last results `last_results` reads."""
GRAPH = 100
"""How many of the last ratings the graph of a profile shows."""
MAIN_POOL: tuple[str, Pace] = (next(iter(RULES)), "live")
"""The pool whose rating is shown beside a name."""


@dataclass(frozen=True, slots=True)
class RecentResult:
    """One of a player's last matches; `won` is None for a draw, `at` where the time was not asked for."""

    match_id: str
    won: bool | None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The head-to-head of two players, seen from `player`."""

    player: User
    opponent: User
    stats: PlayerStats
    variants: dict[str, PlayerStats] = field(default_factory=dict)
    recent: list[MatchRow] = field(default_factory=list)


def _seats() -> QuerySet[Seat]:
    """The seats of finished matches, the latest first; without cancelled ones."""
    over = Seat.objects.filter(ended_at__isnull=False, match__status=Match.Status.OVER)
    return over.exclude(match__ended_by=Match.EndedBy.STOPPED).order_by("-ended_at", "pk")


def _results(seats: QuerySet[Seat]) -> Iterator[tuple[int, RecentResult]]:
    for user_id, match_id, won, at in seats.values_list("user", "match", "won", "ended_at"):
        yield user_id or 0, RecentResult(match_id, won, at)


def recent_results(user: User, *, most: int = FORM) -> list[RecentResult]:
    """The last matches of a player, the latest first; one query."""
    return [last for _user, last in _results(_seats().filter(user=user)[:most])]


def last_results(user: User) -> tuple[list[RecentResult], list[bool]]:
    """A player's last matches and which of many more were won, the latest first; one query.

    Those without a winner and those with a play taken back are left out of the second list.
    """
    seats = _seats().filter(user=user).order_by("-ended_at", "-match")
    rows = list(seats.values_list("match", "won", "match__taken_back")[:MOST_RESULTS])
    form = [RecentResult(match_id, won) for match_id, won, _taken_back in rows[:FORM]]
    return form, [won for _match_id, won, taken_back in rows if won is not None and not taken_back]


def recent_results_by_user(users: Iterable[int], *, most: int = FORM) -> dict[int, list[RecentResult]]:
    """The last matches of several players, the latest first; one query, which reads no more of the index than it shows.

    A part of it for each player: one condition for all would be answered by reading all finished matches.
    """
    found: dict[int, list[RecentResult]] = {pk: [] for pk in users}
    nobody = -1  # in whose place each part has a player
    columns = ("id", "user", "match", "won", "ended_at")
    sql, values = _seats().filter(user=nobody).only(*columns)[:most].query.sql_with_params()
    union = " UNION ALL ".join(f"SELECT * FROM ({sql}) AS part{pk}" for pk in found)  # nosec B608  # noqa: S608
    parameters = [pk if value == nobody else value for pk in found for value in values]
    for seat in Seat.objects.raw(union, parameters) if found else ():
        found[seat.user_id or 0].append(RecentResult(seat.match_id, seat.won, seat.ended_at))
    for results in found.values():
        results.sort(key=lambda result: result.at or datetime.min.replace(tzinfo=UTC), reverse=True)
    return found


def main_ratings(users: Iterable[int], *, variant: str = MAIN_POOL[0], pace: str = MAIN_POOL[1]) -> dict[int, float]:
    """The ratings of these players in one pool."""
    rows = Rating.objects.filter(user__in=list(users), pool__variant=variant, pool__pace=pace)
    return dict(rows.values_list("user", "rating"))


@dataclass(frozen=True, slots=True)
class RatingLines:
    """The last ratings of a player, the oldest first: `sparklines` in each pool, `graph` in the most played one."""

    sparklines: list[tuple[RatingCard, list[float]]] = field(default_factory=list)
    graph: list[RatingPoint] = field(default_factory=list)


def rating_lines(user: User) -> RatingLines:
    """The ratings of a player, with `SPARK` of the last ones of each and `GRAPH` of the most played; three queries."""
    cards = rating_cards(user)
    if not cards:
        return RatingLines()
    first, *others = cards
    graph = rating_history(user, first.variant, first.pace, most=GRAPH)
    lines = {first.pool_id: [point.rating for point in graph[-SPARK:]]}
    wanted = [Q(pool=card.pool_id, n__gte=card.spark_n) for card in others]
    if wanted:
        events = RatingEvent.objects.filter(reduce(or_, wanted), user=user).order_by("pool", "n")
        for pool_id, rating in events.values_list("pool", "rating_after"):
            lines.setdefault(pool_id, []).append(rating)
    return RatingLines([(card, lines.get(card.pool_id, [])) for card in cards], graph)


def head_to_head(player: User, opponent: User, *, most: int = FORM) -> HeadToHead:
    """The head-to-head of two players, and their last matches, in four queries."""
    rows: Sequence[StatsRow] = stats_rows(player, opponent=opponent)
    facts = SeatFacts.objects.filter(user=player, opponent=opponent).order_by("-ended_at", "pk")
    last = facts.values("seat__match")[:most]
    ids = [row["seat__match"] for row in last]
    matches = Match.objects.filter(pk__in=ids).prefetch_related("seats__user").order_by("-ended_at", "pk")
    return HeadToHead(
        player,
        opponent,
        total_stats(rows),
        {str(key): value for key, value in stats_by(lambda row: row.variant, rows).items()},
        match_rows(matches, player),
    )


@dataclass(frozen=True, slots=True)
class Totals:
    """The numbers of a player's finished matches; the rest of won and lost are draws, cancelled ones do not count.

    `listed`: with the cancelled ones, as lists have them.
    """

    played: int
    won: int
    lost: int
    listed: int

    @property
    def level(self) -> int:
        return self.played - self.won - self.lost

    @property
    def share(self) -> int | None:
        """The percentage of matches won, or None without matches."""
        return round(100 * self.won / self.played) if self.played else None


def player_totals(user: User) -> Totals:
    """How many matches `user` finished and won; one query, which reads the matches only of the few without a winner."""
    stopped = Match.objects.filter(pk=OuterRef("match"), ended_by=Match.EndedBy.STOPPED)
    counted = Seat.objects.filter(user=user, ended_at__isnull=False).aggregate(
        listed=Count("pk"),
        wins=Count("pk", filter=Q(won=True)),
        losses=Count("pk", filter=Q(won=False)),
        level=Count("pk", filter=Q(won=None) & Q(~Exists(stopped))),  # in this order
    )
    played = counted["wins"] + counted["losses"] + counted["level"]
    return Totals(played, counted["wins"], counted["losses"], counted["listed"])


def player_named(name: str) -> User:
    """The player of that name, in any case. Raises NotFound."""
    user = User.objects.filter(name_key=fold(name), is_active=True).first()
    if user is None:
        raise NotFound
    return user


def player_past_or_present(name: str) -> User:
    """The player of that name, deleted accounts included. Raises NotFound."""
    found = User.objects.filter(name_key=fold(name)).first()
    if found is None or not (found.is_active or found.left_at):
        raise NotFound
    return found


def players(search: str = "") -> QuerySet[User]:
    """The house bots, one of each strength, then all players by name, with the number of their finished matches.

    Counted by subqueries over an index of the seats: a join would group all seats of the site for one page.
    """
    by_strength = F("bot_level").asc(nulls_last=True)
    people = User.objects.filter(is_active=True, is_guest=False).order_by(by_strength, "name_key")
    people = people.filter(name_key__contains=fold(search)) if search else people.exclude(bot_level__gt=BOT_LEVEL_STEP)
    ended = Seat.objects.filter(user=OuterRef("pk"), ended_at__isnull=False).order_by()
    called_off = ended.filter(won=None, match__ended_by=Match.EndedBy.STOPPED)
    return people.annotate(played=_number(ended) - _number(called_off))


def _number(seats: QuerySet[Seat]) -> Coalesce:
    return Coalesce(Subquery(seats.values("user").annotate(n=Count("pk")).values("n")), 0)
