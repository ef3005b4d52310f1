"""Reads of ratings: pools and their lists, a player's ratings over time, and the changes by a match."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from accounts.models import Club, User
from games import labels, ratings
from games.bots import LEVELS
from games.database import now
from games.engine import SIDES, Side
from games.errors import NotFound
from games.events import rated_line
from games.models import Match, RatedMatch, Rating, RatingEvent, RatingPool, ResultCorrection
from games.rating_pools import COMPUTERS, POOLS, pool_of
from games.registry import RULES
from games.services.ratings import standing_of

ACTIVE = 90
"""Days after the last rated match for which a player counts as active."""
LATELY = timedelta(days=30)
SPARK = 30
"""How many of the last ratings a sparkline shows."""
LINES = 2500
"""How many lines of a log are one chunk."""
COMPUTERS_KEPT = 60
"""Seconds for which the ratings of the computers are kept."""


@dataclass(frozen=True, slots=True)
class PoolSummary:
    """A pool in the list of pools: its players, how many are active, and the leader."""

    variant: str
    pace: str
    matches: int
    players: int
    active: int
    leader: Rating | None


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the list of a pool. `change` covers the last 30 days, None without a match in them."""

    rank: int
    user: User
    rating: float
    experience: float
    deviation: float | None
    provisional: bool
    matches: int
    wins: int
    form: str
    change: float | None
    last_at: datetime


@dataclass(frozen=True, slots=True)
class RatingCard:
    """A player's rating in one pool; `rank` is None after 90 days without a match.

    `spark_n` is the number in the pool's log of the first of the last `SPARK` ratings, 0 where there are fewer.
    """

    pool_id: int
    variant: str
    pace: str
    rating: float
    experience: float
    deviation: float | None
    provisional: bool
    matches: int
    wins: int
    peak: float
    peak_at: datetime
    last_at: datetime
    form: str
    rank: int | None
    spark_n: int


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A player's rating after one match, and the change by it."""

    at: datetime
    n: int
    rating: float
    change: float
    match_id: str
    opponent: str


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The rating change of one player by a match; `sentence` is the calculation in localized numbers."""

    side: Side
    name: str
    before: float
    after: float
    change: float
    sentence: str


def pools() -> list[PoolSummary]:
    """All pools with matches, in the order of the games; two queries."""
    since = now() - timedelta(days=ACTIVE)
    existing = Q(ratings__user__left_at=None)
    counted = RatingPool.objects.filter(matches__gt=0).annotate(
        players=Count("ratings", filter=existing),
        active=Count("ratings", filter=existing & Q(ratings__last_at__gte=since)),
    )
    first = _existing().filter(pool=OuterRef("pool"), last_at__gte=since).order_by("-rating", "user__name_key")
    leaders = Rating.objects.filter(pk=Subquery(first.values("pk")[:1])).select_related("user")
    leader = {rating.pool_id: rating for rating in leaders}
    games = list(RULES)
    rows = sorted(counted, key=lambda pool: (games.index(pool.variant), POOLS.index(pool.pace)))
    return [
        PoolSummary(pool.variant, pool.pace, pool.matches, pool.players, pool.active, leader.get(pool.pk))
        for pool in rows
    ]


def _existing() -> QuerySet[Rating]:
    """The ratings of existing accounts; deleted accounts keep theirs, because the ratings of others depend on them."""
    return Rating.objects.filter(user__left_at=None)


def pool_named(variant: str, pace: str) -> RatingPool:
    """The pool of a game at a pace or with computers, even without matches. Raises NotFound."""
    if variant not in RULES or pace not in POOLS:
        raise NotFound
    return RatingPool.objects.filter(variant=variant, pace=pace).first() or RatingPool(variant=variant, pace=pace)


def pool_ratings(pool: RatingPool, *, club: Club | None = None, active_days: int | None = ACTIVE) -> QuerySet[Rating]:
    """The ratings of a pool, the highest first."""
    rows = _existing().filter(pool__variant=pool.variant, pool__pace=pool.pace)
    if active_days is not None:
        rows = rows.filter(last_at__gte=now() - timedelta(days=active_days))
    if club is not None:
        rows = rows.filter(user__memberships__club=club)
    return rows.select_related("user").order_by("-rating", "user__name_key")


def standings(rows: list[Rating], *, first: int = 1) -> list[Standing]:
    """Rows of a list from rank `first` on, with their recent change; one query."""
    recent = RatingEvent.objects.filter(
        pool__in={row.pool_id for row in rows}, user__in=[row.user_id for row in rows], at__gte=now() - LATELY
    )
    summed = recent.order_by().values("user").annotate(change=Sum(F("rating_after") - F("rating_before")))
    changes = dict(summed.values_list("user", "change"))
    return [
        Standing(
            rank=rank,
            user=row.user,
            rating=row.rating,
            experience=row.experience,
            deviation=row.deviation,
            provisional=ratings.is_provisional(row.experience, row.deviation),
            matches=row.matches,
            wins=row.wins,
            form=row.form,
            change=changes.get(row.user_id),
            last_at=row.last_at,
        )
        for rank, row in enumerate(rows, first)
    ]


def pool_table(
    variant: str, pace: str, *, club: Club | None = None, active_days: int | None = ACTIVE, most: int | None = None
) -> list[Standing]:
    """The list of a pool; all of it, or the first `most`. Raises NotFound."""
    return standings(list(pool_ratings(pool_named(variant, pace), club=club, active_days=active_days)[:most]))


def rating_cards(user: User) -> list[RatingCard]:
    """A player's ratings in all their pools, the most played pool first; one query."""
    since = now() - timedelta(days=ACTIVE)
    better = _existing().filter(pool=OuterRef("pool"), rating__gt=OuterRef("rating"), last_at__gte=since)
    above = better.order_by().values("pool").annotate(count=Count("pk")).values("count")
    last = RatingEvent.objects.filter(user=user, pool=OuterRef("pool")).order_by("-n").values("n")
    spark_n = Coalesce(Subquery(last[SPARK - 1 : SPARK]), 0)
    rows = Rating.objects.filter(user=user).select_related("pool")
    rows = rows.annotate(above=Coalesce(Subquery(above), 0), spark_n=spark_n)
    return [
        RatingCard(
            pool_id=row.pool_id,
            variant=row.pool.variant,
            pace=row.pool.pace,
            rating=row.rating,
            experience=row.experience,
            deviation=row.deviation,
            provisional=ratings.is_provisional(row.experience, row.deviation),
            matches=row.matches,
            wins=row.wins,
            peak=row.peak,
            peak_at=row.peak_at,
            last_at=row.last_at,
            form=row.form,
            rank=row.above + 1 if row.last_at >= since else None,
            spark_n=row.spark_n,
        )
        for row in rows.order_by("-matches", "pool")
    ]


def rating_history(user: User, variant: str, pace: str, most: int = 500) -> list[RatingPoint]:
    """A player's rating after each of their last matches in a pool, the oldest first; one query."""
    events = RatingEvent.objects.filter(user=user, pool__variant=variant, pool__pace=pace)
    columns = ("at", "n", "rating_before", "rating_after", "rated__match", "rated__white")
    names = ("rated__white__username", "rated__black__username")
    rows = list(events.order_by("-n").values_list(*columns, *names)[:most])
    return [
        RatingPoint(at, n, after, after - before, match_id, black if white_id == user.pk else white)
        for at, n, before, after, match_id, white_id, white, black in reversed(rows)
    ]


def pool_of_match(match: Match) -> str:
    """The pool in which a match counts if it is rated; its seats are fetched."""
    return pool_of(match.clock_preset, (seat.user for seat in match.seats.all()))


def current_ratings(match: Match) -> dict[str, Rating]:
    """The present ratings of the players of a rated match, by side; its seats are fetched."""
    if not match.rated:
        return {}
    seats = {seat.user_id: seat.side for seat in match.seats.all()}
    pool = {"pool__variant": match.variant, "pool__pace": pool_of_match(match)}
    return {seats[row.user_id]: row for row in Rating.objects.filter(user__in=seats, **pool)}


def computer_ratings(variant: str) -> dict[int, ratings.Standing]:
    """The ratings of the house's computers in a game, by strength, at most a minute old; one query, or none.

    The lobby, which is asked for all the time, shows them to everybody.
    """
    key = f"computer-ratings:{variant}"
    known: dict[int, ratings.Standing] | None = cache.get(key)
    if known is None:
        house = Rating.objects.filter(user__is_bot=True, user__owner=None, user__bot_level__in=LEVELS)
        rows = house.filter(pool__variant=variant, pool__pace=COMPUTERS).select_related("user")
        known = {row.user.bot_level: standing_of(row) for row in rows if row.user.bot_level is not None}
        cache.set(key, known, COMPUTERS_KEPT)
    return known


RatingKey = tuple[int, str, str]
"""A user, a variant and a pool (games.rating_pools)."""


def ratings_by_pool(keys: Iterable[RatingKey]) -> dict[RatingKey, Rating]:
    """The ratings of users in pools, where they have one; one query."""
    wanted = frozenset(keys)
    users, variants, paces = (frozenset(part) for part in zip(*wanted, strict=True)) if wanted else ((), (), ())
    found = Rating.objects.filter(user__in=users, pool__variant__in=variants, pool__pace__in=paces)
    rows = {(row.user_id, row.pool.variant, row.pool.pace): row for row in found.select_related("pool")}
    return {key: row for key, row in rows.items() if key in wanted}


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a rated match is about for one player: their gain if they win, and their loss if they lose."""

    gain: float
    loss: float


def stakes(match: Match, own: Rating | None, opponent: Rating | None) -> Stakes:
    """What a rated match that is not over is about for a player; without a rating a player begins at the start."""
    rules = RULES[match.variant]
    gain, loss = ratings.stakes(
        standing_of(own) if own else ratings.Standing(),
        standing_of(opponent) if opponent else ratings.Standing(),
        weight=rules.rating_weight(match.length),
        system=rules.rating,
        at=now(),
    )
    return Stakes(gain, loss)


def rating_changes(match: Match) -> list[RatingChange]:
    """The rating changes by a match, White first; empty if it does not count. Its seats are fetched."""
    line = rated_line(match)
    if line is None or not line.counts:
        return []
    events = {event.user_id: event for event in line.events.all()}
    names = {seat.side: seat.name for seat in match.seats.all()}
    updates = []
    for side, user_id in zip(SIDES, (line.white_id, line.black_id), strict=True):
        event = events[user_id]
        change = event.rating_after - event.rating_before
        updates.append(
            RatingChange(
                side, names[side], event.rating_before, event.rating_after, change, formula_text(event.formula)
            )
        )
    return updates


def is_annulled(match: Match) -> bool:
    """Whether a match has an entry in the log that no longer counts."""
    line = rated_line(match)
    return line is not None and not line.counts


@dataclass(frozen=True, slots=True)
class CorrectionView:
    """A correction of a result for display: the winners by name, None for none."""

    row: ResultCorrection
    was: str | None
    now: str | None

    @property
    def winner_changed(self) -> bool:
        return bool(self.row.before["winner"] != self.row.after["winner"])

    @property
    def counts_changed(self) -> bool:
        return bool(self.row.before["counts"] != self.row.after["counts"])


def corrections(match: Match) -> list[CorrectionView]:
    """The corrections of a match in their order; its seats are fetched. No query where it is known to have none."""
    if getattr(match, "corrected", True) is False:  # `visible_match` asks with the match
        return []
    names = {seat.side: seat.name for seat in match.seats.all()}
    rows = ResultCorrection.objects.filter(match=match).select_related("by").order_by("pk")
    return [CorrectionView(row, names.get(row.before["winner"]), names.get(row.after["winner"])) for row in rows]


def formula_text(formula: dict[str, float]) -> str:
    """A rating calculation in one line, in localized numbers: +6.30 = 4 × 2.10 × √5 × 0.336."""
    change = signed(formula["change"])
    if "k" in formula:
        k, p = decimals(formula["k"], 2), decimals(formula["p"], 3)
        sign = "−" if formula["change"] < 0 else ""
        return f"{change} = {sign}4 × {k} × √{without_trailing_zeros(formula['n'])} × {p}"
    values = {
        "change": change,
        "factor": decimals(formula["factor"], 1),
        "scored": labels.points(formula["scored"]),
        "expected": decimals(formula["expected"], 2),
    }
    return _("%(change)s = %(factor)s × (%(scored)s scored − %(expected)s expected)") % values


def signed(number: float) -> str:
    """Format a change with its sign: +6.32, −4.10, with a true minus."""
    return f"{'−' if round(number, 2) < 0 else '+'}{decimals(abs(number), 2)}"


def decimals(number: float, places: int) -> str:
    """Format a localized number with a fixed number of decimals, rounded (Django's function truncates)."""
    return number_format(round(number, places), places)


def without_trailing_zeros(number: float) -> str:
    """Format a number without trailing zeros: 5, 0.2."""
    return number_format(number, None if number != int(number) else 0)


def log_chunks(pool: RatingPool) -> Iterator[str]:
    """The log of a pool as lines of JSON, `LINES` in a chunk, after a header with the pool and its system."""
    head = {"variant": pool.variant, "pace": pool.pace, "system": RULES[pool.variant].rating}
    yield json.dumps(head) + "\n"
    last = 0
    columns = ("n", "at", "white__username", "black__username", "weight", "winner", "results", "counts", "match")
    lines = RatedMatch.objects.filter(pool=pool.pk).order_by("n").values_list(*columns)
    encode = json.JSONEncoder(ensure_ascii=False).encode  # one for all: `dumps` makes one for each line
    while rows := list(lines.filter(n__gt=last)[:LINES]):
        yield "".join(f"{encode(ratings.line_json(ratings.Line(*row), match))}\n" for *row, match in rows)
        last = rows[-1][0]
