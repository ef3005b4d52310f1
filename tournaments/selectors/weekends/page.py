"""The page of a weekend for its players: what is on when, their matches now, its tournaments and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.db.models import F, Q
from django.urls import reverse
from django.utils import formats
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from games import labels as game_labels
from games.models import Match
from tournaments.boards import Boards
from tournaments.models import Meeting, Placing, Tournament, TournamentEvent, TournamentRound, Weekend
from tournaments.selectors import labels
from tournaments.selectors.tournament_list import TournamentRow, counted, tournament_rows
from tournaments.selectors.weekends.lookups import boards_by_tournament, weekend_seen
from tournaments.selectors.weekends.open_pairings import open_meetings
from tournaments.weekend_roles import WeekendAct

MOST_RESULTS = 10
PHASES = Tournament.Phase
ON_SITE = (Match.Status.OPEN, Match.Status.LIVE)


@dataclass(frozen=True, slots=True)
class ScheduleEntry:
    """Something that begins at a time: the start of a tournament, or a round of it."""

    at: datetime
    time: str
    iso: str
    row: TournamentRow
    what: str
    rooms: str
    clock: bool = True

    @property
    def live(self) -> bool:
        return self.row.tournament.phase == PHASES.RUNNING


@dataclass(frozen=True, slots=True)
class ScheduleDay:
    """A day of the schedule with its entries in order."""

    day: date
    entries: list[ScheduleEntry]

    @property
    def title(self) -> str:
        return capfirst(formats.date_format(self.day, pgettext("date format", "l j F")))


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A match that the viewer plays now."""

    tournament: Tournament
    opponent: str
    board: int | None
    room: str
    match_id: str

    @property
    def url(self) -> str:
        return reverse("match", args=[self.match_id]) if self.match_id else self.tournament_url

    @property
    def tournament_url(self) -> str:
        return reverse("tournament", args=[self.tournament.pk])


@dataclass(frozen=True, slots=True)
class WeekendResult:
    """A result: the winner, the loser, and the score ("": none was entered)."""

    tournament: Tournament
    winner: str
    loser: str
    score: str


@dataclass(frozen=True, slots=True)
class WeekendTournament:
    """A tournament of the weekend, with its winners once it is over."""

    row: TournamentRow
    rooms: str
    winners: list[str]

    @property
    def tournament(self) -> Tournament:
        return self.row.tournament

    @property
    def phase(self) -> str:
        return labels.label_of(labels.PHASES, self.tournament.phase)

    @property
    def places_free(self) -> int | None:
        """How many places are left; None where there is no limit, or registration is over."""
        if self.tournament.capacity is None or self.tournament.phase != PHASES.OPEN:
            return None
        return max(0, self.tournament.capacity - self.row.players)


@dataclass(frozen=True)
class WeekendPage:
    """The page of a weekend for one viewer."""

    weekend: Weekend
    may: frozenset[WeekendAct]
    tournaments: list[WeekendTournament]
    days: list[ScheduleDay]
    matches: list[OwnMatch]
    results: list[WeekendResult]
    boards: Mapping[str, Boards] = field(default_factory=dict)

    @property
    def is_member(self) -> bool:
        return any(row.row.entered for row in self.tournaments)


def weekend_page(*, weekend_id: str, user: User | None) -> WeekendPage:
    """The page of a weekend. Raises WeekendNotFound."""
    seen = weekend_seen(weekend_id=weekend_id, user=user)
    weekend = seen.weekend
    found = counted(user).filter(weekend=weekend).order_by(F("starts_at").asc(nulls_last=True), "created_at", "pk")
    rows = tournament_rows(found)
    boards = boards_by_tournament([row.tournament.pk for row in rows])
    winners = _winners(weekend)
    return WeekendPage(
        weekend=weekend,
        may=seen.may,
        tournaments=[
            WeekendTournament(row, rooms_label(boards.get(row.tournament.pk)), winners.get(row.tournament.pk, []))
            for row in rows
        ],
        days=_days(weekend, rows, boards),
        matches=_own_matches(weekend, user, boards),
        results=_results(weekend),
        boards=boards,
    )


def rooms_label(boards: Boards | None) -> str:
    """Where a tournament is played: `Main hall, Bar`, or `boards 1–8` for a room without a name."""
    if boards is None:
        return ""
    return ", ".join(
        room.name or _("boards %(first)s–%(last)s") % {"first": room.first, "last": room.last} for room in boards.rooms
    )


def _winners(weekend: Weekend) -> dict[str, list[str]]:
    rows = Placing.objects.filter(tournament__weekend=weekend, tournament__phase=PHASES.OVER, place=1)
    found: dict[str, list[str]] = {}
    for pk, name in rows.order_by("number").values_list("tournament_id", "name"):
        found.setdefault(pk, []).append(name)
    return found


def _days(weekend: Weekend, rows: Sequence[TournamentRow], boards: Mapping[str, Boards]) -> list[ScheduleDay]:
    """The starts of the tournaments and the rounds that open at a time, by day in the time zone of the club."""
    zone = ZoneInfo(weekend.club.timezone)
    by_id = {row.tournament.pk: row for row in rows}
    moments = [
        (row.tournament.starts_at, row, _("Start"))
        for row in rows
        if row.tournament.starts_at is not None and row.tournament.phase != PHASES.CANCELLED
    ]
    ahead = TournamentRound.objects.filter(tournament__weekend=weekend, open_at__isnull=False)
    for pk, number, at in ahead.values_list("tournament_id", "round", "open_at").distinct():
        if pk in by_id and at is not None:
            moments.append((at, by_id[pk], _("Round %(n)s") % {"n": number}))
    days: dict[date, list[ScheduleEntry]] = {}
    for at, row, what in sorted(moments, key=lambda moment: (moment[0], moment[1].tournament.pk, moment[2])):
        local = localtime(at, zone)
        rooms = rooms_label(boards.get(row.tournament.pk))
        entry = ScheduleEntry(
            at, labels.format_moment(at, zone, labels.HOUR), labels.iso_moment(at, zone), row, what, rooms
        )
        days.setdefault(local.date(), []).append(entry)
    return [ScheduleDay(day, entries) for day, entries in sorted(days.items())]


def _own_matches(weekend: Weekend, user: User | None, boards: Mapping[str, Boards]) -> list[OwnMatch]:
    """The open pairings of the viewer, those at a board first."""
    if user is None:
        return []
    playing = Q(a__user=user) | Q(b__user=user)
    rows = open_meetings(weekend).filter(playing).order_by(F("board").asc(nulls_last=True), "opened_at", "pk")
    return [_own_match(row, user, boards.get(row.tournament_id)) for row in rows]


def _own_match(row: Meeting, user: User, boards: Boards | None) -> OwnMatch:
    opponent = row.b if row.a.user_id == user.pk else row.a
    room = boards.room_of(row.board) if boards is not None and row.board is not None else ""
    match_id = row.match.pk if row.match is not None and row.match.status in ON_SITE else ""
    return OwnMatch(row.tournament, opponent.name, row.board, room, match_id)


def _results(weekend: Weekend) -> list[WeekendResult]:
    """The last results that still stand, the last one first."""
    events = TournamentEvent.objects.filter(tournament__weekend=weekend, kind="result").order_by("-at", "-n")
    last: dict[tuple[str, str], TournamentEvent] = {}
    for event in events[: 2 * MOST_RESULTS]:
        last.setdefault((event.tournament_id, event.data["key"]), event)
    rows = Meeting.objects.filter(
        tournament__weekend=weekend, key__in={key for _pk, key in last}, state=Meeting.State.DONE
    ).select_related("tournament", "a__user", "b__user")
    meetings = {(row.tournament_id, row.key): row for row in rows}
    found = (_result(meetings[key], event) for key, event in last.items() if key in meetings)
    return [result for result in found if result is not None][:MOST_RESULTS]


def _result(row: Meeting, event: TournamentEvent) -> WeekendResult | None:
    winner = event.data.get("winner")
    if winner not in (row.a.number, row.b.number):
        return None
    won, lost = (row.a, row.b) if winner == row.a.number else (row.b, row.a)
    points = event.data.get("points") or []
    pair = points if won is row.a else points[::-1]
    return WeekendResult(row.tournament, won.name, lost.name, "–".join(game_labels.points(each) for each in pair))
