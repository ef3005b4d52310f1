"""Reads for the pages: each list takes the same number of queries however long it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from accounts.models.people import KIN
from accounts.names import fold
from accounts.ties import apart_from
from games import absence, clocks, events, words
from games.database import now
from games.engine import SIDES, Json
from games.errors import NotFound
from games.models import Action, Game, LadderChallenge, Match, Seat, seat_of
from games.selectors import archive
from games.selectors.watching import check_watch
from games.services import away
from games.services.table import REMIND_BEFORE
from games.signals import caught_up

MOST_ROWS = 30
LATELY = timedelta(minutes=30)
AGAIN = timedelta(minutes=10)  # how long a word to a player is worth repeating
LATE = timedelta(seconds=20)  # how long after its moment a row may be seen first: a writer waits so long for another


@dataclass(frozen=True, slots=True)
class Mark:
    """What a player keeps about a match for himself."""

    favourite: bool = False
    note: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A match as a list shows it to one viewer: his seat and his rival's, or both seats to a stranger.

    `mark` is there only in the viewer's own lists.
    """

    match: Match
    seats: list[Seat]
    mine: Seat | None = None
    rival: Seat | None = None
    my_turn: bool = False
    turn: frozenset[str] = frozenset()
    mark: Mark | None = None
    left: str = ""  # of the viewer's turn, by correspondence

    @property
    def variant(self) -> str:
        return words.variant(self.match.variant)

    @property
    def length(self) -> str:
        return words.length(self.match.length)

    @property
    def clock(self) -> str:
        return words.clock(self.match.clock_preset)

    @property
    def waits(self) -> bool:
        """Whether this is an arranged match that the viewer has still to come to."""
        return self.match.status == Match.Status.OPEN and self.mine is not None and self.mine.arrived_at is None

    @property
    def adjourned(self) -> bool:
        """Whether its players have to come back to it."""
        return bool(self.match.pause and self.match.pause.get("adjourned"))

    @property
    def awaited(self) -> bool:
        """Whether the rival of the viewer wants to go on with an adjourned match, and not he himself."""
        if not self.match.pause or not self.adjourned or self.rival is None or self.mine is None:
            return False
        said = absence.ready(self.match.pause["ready"], timezone.now())
        return self.rival.side in said and self.mine.side not in said

    @property
    def ending(self) -> str:
        return words.ending(self.match.ended_by)

    @property
    def score(self) -> str:
        """`3–1`: mine first, or White's first for a stranger."""
        return "–".join(words.points(seat.points) for seat in self.seats)

    @property
    def download(self) -> str:
        """The format that most programs read, of those that can hold a finished match; "" where nothing is to hold."""
        return next(iter(archive.kinds(self.match)), "")

    @property
    def terms(self) -> list[str]:
        """What was agreed on besides length and clock."""
        return words.terms(self.match.variant, self.match.length, self.match.options)


@dataclass(frozen=True, slots=True)
class Lobby:
    """Everything that the lobby lists for one viewer."""

    running: list[Row] = field(default_factory=list)
    adjourned: list[Row] = field(default_factory=list)
    challenges: list[Row] = field(default_factory=list)
    offered: list[Row] = field(default_factory=list)
    seeks: list[Row] = field(default_factory=list)
    live: list[Row] = field(default_factory=list)
    recent: list[Row] = field(default_factory=list)


def lobby(user: User | None) -> Lobby:
    """The lists of the lobby, for a player or (None) for a passer-by: nothing of those whom a block keeps apart."""
    apart = apart_from(user.pk) if user else frozenset()
    opened = _opened(user, apart)
    mine = _running(user) if user else []
    at_my_table = {row.match.pk for row in mine}
    return Lobby(
        running=sorted(
            (row for row in mine if not row.adjourned),
            key=lambda row: (row.match.status != Match.Status.OPEN, not row.my_turn),
        ),
        adjourned=sorted((row for row in mine if row.adjourned), key=lambda row: not row.awaited),
        challenges=[row for row in opened if user and row.match.invited_id == user.pk],
        offered=[row for row in opened if user and row.match.creator_id == user.pk],
        seeks=[row for row in opened if not row.match.invited_id and not (user and row.match.creator_id == user.pk)],
        live=[row for row in _live(apart) if row.match.pk not in at_my_table and not row.adjourned],
        recent=_recent(),
    )


def _with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.prefetch_related(Prefetch("seats", Seat.objects.select_related("user").order_by("-side")))


def _opened(user: User | None, apart: frozenset[int]) -> list[Row]:
    shown = Q(invited=None) | (Q(invited=user) | Q(creator=user) if user else Q())
    matches = Match.objects.filter(shown, status=Match.Status.OPEN, arranged=False, creator__is_active=True)
    matches = matches.select_related("creator", "invited").order_by("-created_at")
    if user is None:
        matches = matches.filter(invited=None)
    if apart:
        matches = matches.exclude(creator__in=apart)
    return [Row(match, []) for match in matches[: 2 * MOST_ROWS]]


def _running(user: User) -> list[Row]:
    """The matches in play, and before them those that were arranged for this player and have not begun."""
    begun = Q(status=Match.Status.LIVE) | Q(status=Match.Status.OPEN, arranged=True)
    mine = Match.objects.filter(begun, seats__user=user, seats__ended_at=None).order_by(
        "-status", "-started_at", "-created_at"
    )
    return rows(_with_seats(mine)[:MOST_ROWS], user, turns=True)


def _live(apart: frozenset[int]) -> list[Row]:
    """The matches where somebody acted lately: a table that both have left is not worth watching."""
    moment = timezone.now()  # a clock that runs only later stands for a vacation
    # That they have not ended leads SQLite to an index: by the status alone it takes half the table for live.
    live = Match.objects.filter(status=Match.Status.LIVE, ended_at=None)
    lately = live.filter(clock_at__range=(moment - LATELY, moment + AGAIN))
    if apart:
        lately = lately.exclude(pk__in=Seat.objects.filter(user__in=apart, ended_at=None).values("match"))
    # By their start and not by the last act, so that no row changes its place with every move.
    return rows(_with_seats(lately).order_by("-started_at")[:MOST_ROWS], None)


def _recent() -> list[Row]:
    """What was played here last; not what came out of files."""
    over = Match.objects.filter(status=Match.Status.OVER, source="")
    return rows(_with_seats(over).order_by("-ended_at")[:5], None)


def rows(matches: Iterable[Match], user: User | None, *, turns: bool = False) -> list[Row]:
    """Rows of matches whose seats are fetched, the viewer's own seat first; with `turns`, whose turn it is."""
    return [_row(match, user, turns=turns) for match in matches]


def _row(match: Match, user: User | None, *, turns: bool) -> Row:
    seats = list(match.seats.all())
    mine = next((seat for seat in seats if user is not None and seat.user_id == user.pk), None)
    rival = next((seat for seat in seats if seat is not mine), None) if mine else None
    turn = to_act(match) if turns else frozenset()
    ordered = [seat for seat in (mine, rival) if seat is not None] if mine else seats
    my_turn = bool(mine and mine.side in turn)
    return Row(match, ordered, mine, rival, my_turn=my_turn, turn=turn, left=_left(match) if my_turn else "")


def _left(match: Match) -> str:
    """What is left of a turn by correspondence: the days that stand while its player is on vacation stay out."""
    if match.flag_at is None or match.clock_at is None or clocks.pace_of(match.clock_preset) != "correspondence":
        return ""
    return words.time_left(match.flag_at - max(match.clock_at, timezone.now()))


def to_act(match: Match) -> frozenset[str]:
    """The sides that the match waits for: both at an opening roll, nobody when it is not live."""
    if match.status != Match.Status.LIVE or not match.snapshot:
        return frozenset()
    return frozenset(side for side in SIDES if events.awaits(match, side))


def missed(*, user_id: int | None, since: int | None) -> tuple[list[Json], int]:
    """What `user_id` was told since a moment (milliseconds of the epoch), and the moment from which to ask again.

    That is a little before this answer: what is being written now has its moment already, and is not seen yet. The page
    hears such a word twice, but nothing from before it was made: it may have been left just for that.

    For a page that has just opened its socket: the challenges, those of ladders, the arranged matches and the matches
    begun without him that came while it had none. Nothing older than ten minutes is said again.
    """
    moment = now()
    if user_id is None or since is None:
        return [], milliseconds(moment)
    start = max(datetime.fromtimestamp(since / 1000, UTC), moment - AGAIN)
    seated = Seat.objects.filter(user=user_id)
    began = Q(creator=user_id) | Q(arranged=True, pk__in=seated.values("match"))
    went = Match.objects.filter(began, status=Match.Status.LIVE, started_at__gt=start).order_by("started_at")
    opened = Match.objects.filter(status=Match.Status.OPEN, created_at__gt=start).order_by("created_at")
    ready = opened.filter(arranged=True, pk__in=seated.filter(arrived_at=None).values("match"))
    offered = LadderChallenge.objects.filter(status=LadderChallenge.Status.OFFERED, made_at__gt=start)
    called = offered.filter(defender=user_id).order_by("made_at")
    challenges = list(opened.filter(invited=user_id).select_related("creator"))
    apart = apart_from(user_id) if challenges else frozenset()  # this is asked every half minute by every open page
    reminded = _with_seats(Match.objects.filter(pk__in=seated.values("match"), **_reminded(start, moment)))
    return [
        *(events.reminder(match, match.seats.all(), user_id) for match in reminded if _to_act(match, user_id)),
        *(events.challenged(match) for match in challenges if match.creator_id not in apart),
        *(events.ladder_called(challenge) for challenge in called.select_related("challenger", "ladder")),
        *(events.ready(match, match.seats.all(), user_id) for match in _with_seats(ready)),
        *(events.begun(match) for match in went),
        *_from_above(user_id, start),
    ], min(milliseconds(moment), max(since, milliseconds(moment - LATE)))


def _from_above(user_id: int, start: datetime) -> list[Json]:
    """What the apps above have to say to a page that may have missed it."""
    answers: list[tuple[Any, Any]] = caught_up.send(sender=None, user_id=user_id, since=start)
    return [word for _receiver, word in answers if word is not None]


def _reminded(start: datetime, moment: datetime) -> dict[str, Any]:
    """Of which matches by correspondence a player was reminded between two moments."""
    slow = [key for key, preset in clocks.PRESETS.items() if preset.slow and preset.delay > clocks.DAY]
    within = (start + REMIND_BEFORE, moment + REMIND_BEFORE)
    return {"status": Match.Status.LIVE, "clock_preset__in": slow, "flag_at__range": within}


def _to_act(match: Match, user_id: int) -> bool:
    return any(seat.user_id == user_id and seat.side in to_act(match) for seat in match.seats.all())


def away_until(user: User) -> datetime | None:
    """Until when a player is on vacation from his matches by correspondence; None while he is here."""
    return away.away_until([user.pk], now())


def milliseconds(moment: datetime) -> int:
    """The milliseconds of the epoch at `moment`."""
    return int(moment.timestamp() * 1000)


def match_seen(*, match_id: str, user: User | None) -> Match:
    """A match with its players, as a page shows it. Raises NotFound, and of it KeptOut (games.selectors.watching).

    A challenge, and an offer taken back, are between the two whom they concern; what was arranged is public.
    """
    with_ratings = Match.objects.select_related("creator", "invited", "rated_match").prefetch_related(
        "rated_match__events"
    )
    match = _with_seats(with_ratings).filter(pk=match_id).first()
    if match is None:
        raise NotFound
    concerned = user is not None and user.pk in (match.creator_id, match.invited_id)
    private = match.status == Match.Status.CANCELLED or (match.status == Match.Status.OPEN and match.invited_id)
    if private and not match.arranged and not concerned:
        raise NotFound
    check_watch(match, user.pk if user else None)
    return match


def match_record(match: Match) -> tuple[list[Game], list[Action]]:
    """The games and actions of a match, in order."""
    return list(match.games.order_by("number")), list(match.actions.order_by("n"))


@dataclass(frozen=True, slots=True)
class Totals:
    """A player's finished matches in numbers; one neither won nor lost ended level, one called off is none."""

    played: int
    won: int
    lost: int

    @property
    def level(self) -> int:
        return self.played - self.won - self.lost

    @property
    def share(self) -> int | None:
        """Matches won in a hundred, or None before the first."""
        return round(100 * self.won / self.played) if self.played else None


def totals(user: User) -> Totals:
    """How many matches `user` finished and won, in two queries: the matches are read only of the few without winner."""
    seats = Seat.objects.filter(user=user, ended_at__isnull=False)
    counted = seats.aggregate(wins=Count("pk", filter=Q(won=True)), losses=Count("pk", filter=Q(won=False)))
    level = seats.filter(won=None).exclude(match__ended_by=Match.EndedBy.STOPPED).count()
    return Totals(counted["wins"] + counted["losses"] + level, counted["wins"], counted["losses"])


def player_named(name: str) -> User:
    """The player of that name, whatever its case. Raises NotFound."""
    user = User.objects.filter(name_key=fold(name), is_active=True).first()
    if user is None:
        raise NotFound
    return user


def player_past_or_present(name: str) -> User:
    """The same, and those who left the site by the names that stayed. Raises NotFound."""
    found = User.objects.filter(name_key=fold(name)).first()
    if found is None or not (found.is_active or found.left_at):
        raise NotFound
    return found


def players(search: str = "") -> QuerySet[User]:
    """The house's bots, one of each strength, then everybody by name, with the number of their finished matches.

    Counted by subqueries over an index of the seats: a join would group all seats of the site for one page.
    """
    by_strength = F("bot_level").asc(nulls_last=True)
    people = User.objects.filter(is_active=True, is_guest=False).order_by(by_strength, "name_key")
    people = people.filter(name_key__contains=fold(search)) if search else people.exclude(bot_level__gt=KIN)
    ended = Seat.objects.filter(user=OuterRef("pk"), ended_at__isnull=False).order_by()
    called_off = ended.filter(won=None, match__ended_by=Match.EndedBy.STOPPED)
    return people.annotate(played=_number(ended) - _number(called_off))


def _number(seats: QuerySet[Seat]) -> Coalesce:
    return Coalesce(Subquery(seats.values("user").annotate(n=Count("pk")).values("n")), 0)


def side_of(match: Match, user: User | None) -> str | None:
    """The side on which `user` sits, from seats already fetched."""
    return seat_of(match, user.pk if user else None)
