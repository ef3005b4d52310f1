"""The front page and the hall of fame of a club, in a fixed number of queries."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from accounts.models import Club, User
from accounts.web.page_sections import Section, sections
from games.database import now
from games.models import Match, Seat
from games.selectors.match_rows import MatchRow, match_rows
from tournaments.models import (
    ClubRecords,
    Entrant,
    Meeting,
    Placing,
    RecurringEvent,
    Season,
    Tournament,
    Weekend,
)
from tournaments.selectors import labels
from tournaments.selectors.recurring_events import weekday_name
from tournaments.selectors.seasons import season_champions as season_champions
from tournaments.selectors.tournament_list import TournamentRow
from tournaments.selectors.weekends.lookups import weekends_of_club
from tournaments.services import records, recurring
from tournaments.terms import Terms

MOST_AHEAD, MOST_LAST, MOST_RESULTS, MOST_SEASONS, MOST_WEEKENDS = 6, 5, 8, 5, 4
PHASES = Tournament.Phase
RECORDS: dict[str, str | Promise] = {
    "matches": gettext_lazy("Most matches played"),
    "wins": gettext_lazy("Most matches won"),
    "streak": gettext_lazy("Longest winning streak"),
    "rating": gettext_lazy("Highest rating"),
    "gammons": gettext_lazy("Most gammons"),
}


# The page of a club


@dataclass(frozen=True, slots=True)
class FinishedTournament:
    """A finished tournament with its winners."""

    tournament: Tournament
    winners: list[Placing]

    @property
    def ended_at(self) -> str:
        return labels.format_moment(self.tournament.ended_at, ZoneInfo(self.tournament.timezone))


@dataclass(frozen=True, slots=True)
class ClubPage:
    """The tournaments, results and seasons of a club, for one viewer."""

    running: list[TournamentRow]
    upcoming: list[TournamentRow]
    finished: list[FinishedTournament]
    results: list[MatchRow]
    seasons: list[Season]
    weekends: list[Weekend] = field(default_factory=list)
    openings: list[tuple[str, str]] = field(default_factory=list)  # the recurring events that open next: name, date
    sections: list[Section] = field(default_factory=list)  # from other apps
    more_seasons: list[Section] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.running or self.upcoming or self.finished or self.sections)


def club_page(club: Club, user: User | None) -> ClubPage:
    """The page of a club for one viewer."""
    counted = Tournament.objects.filter(club=club).annotate(
        players=Count("entrants", filter=Q(entrants__withdrawn=False, entrants__waiting=False, entrants__team=None))
    )
    ahead = counted.filter(phase__in=(PHASES.OPEN, PHASES.DRAWN)).order_by(F("starts_at").asc(nulls_last=True), "pk")
    entered = (
        set(Entrant.objects.filter(user=user, withdrawn=False, waiting=False).values_list("tournament", flat=True))
        if user
        else ()
    )
    over = Tournament.objects.filter(club=club, phase=PHASES.OVER).order_by("-ended_at")
    return ClubPage(
        running=_listed(counted.filter(phase=PHASES.RUNNING).order_by("-begun_at")[:MOST_AHEAD], entered),
        upcoming=_listed(ahead[:MOST_AHEAD], entered),
        finished=[FinishedTournament(row, row.winners) for row in _with_winners(over)[:MOST_LAST]],
        results=_results(club),
        seasons=list(Season.objects.filter(club=club)[:MOST_SEASONS]),
        weekends=list(weekends_of_club(club, user)[:MOST_WEEKENDS]),
        openings=_next_openings(club),
        sections=sections("club", club=club, user=user),
        more_seasons=sections("club-seasons", club=club),
    )


def _listed(found: QuerySet[Any], entered: Any) -> list[TournamentRow]:
    return [TournamentRow(row, Terms.read(row.terms), row.players, row.pk in entered) for row in found]


def _with_winners(found: QuerySet[Tournament]) -> QuerySet[Any]:
    """The tournaments, each with its `winners`, who share the first place."""
    return found.prefetch_related(Prefetch("placings", Placing.objects.filter(place=1), "winners"))


def _results(club: Club) -> list[MatchRow]:
    """The last matches of the club: of its tournaments, and imported ones; each found by its own index."""
    played = Meeting.objects.filter(tournament__club=club, match__status=Match.Status.OVER)
    imported = club.outside_results.filter(match__status=Match.Status.OVER)
    found = [
        *played.order_by("-match__ended_at").values_list("match_id", flat=True)[:MOST_RESULTS],
        *imported.order_by("-match__ended_at").values_list("match_id", flat=True)[:MOST_RESULTS],
    ]
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("-side"))
    matches = Match.objects.filter(pk__in=found).defer("snapshot", "clock").prefetch_related(seats)
    return match_rows(matches.order_by("-ended_at", "-pk")[:MOST_RESULTS], None)


def _next_openings(club: Club) -> list[tuple[str, str]]:
    """The recurring events that open next: name and date."""
    due = RecurringEvent.objects.filter(template__club=club, due_at__isnull=False).select_related("template__club")
    found, moment = [], now()
    for event in due.prefetch_related("occurrences").order_by("due_at")[:3]:
        if dates := recurring.upcoming_dates(event, 1, moment):
            day = dates[0][0]
            found.append((event.template.name, f"{weekday_name(day.weekday())}, {date_format(day, 'DATE_FORMAT')}"))
    return found


# Records and hall of fame


@dataclass(frozen=True, slots=True)
class Record:
    """A record of the club's members: the first is the holder."""

    name: str
    rows: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class HallOfFame:
    """The hall of fame: records, most titles, winners of seasons."""

    records: list[Record]
    counted_at: datetime
    titles: list[dict[str, Any]]
    season_winners: list[tuple[Season, list[str]]]  # finished seasons with their winners
    more_champions: list[Section]  # from other apps to them


def hall_of_fame(club: Club) -> HallOfFame:
    """The records as last counted (now, if never before), titles and winners of seasons."""
    row = ClubRecords.objects.filter(club=club).first() or records.records_count(club_id=club.pk)
    named = [Record(str(name), row.found.get(key, [])) for key, name in RECORDS.items()]
    titles: Any = Placing.objects.filter(tournament__club=club, place=1).values("name").annotate(n=Count("pk"))
    return HallOfFame(
        records=[record for record in named if record.rows],
        counted_at=row.counted_at,
        titles=list(titles.order_by("-n", "name")[:MOST_LAST]),
        season_winners=season_champions(club),
        more_champions=sections("club-champions", club=club),
    )


def tournaments_won(club: Club) -> QuerySet[Any]:
    """The tournaments of a club that somebody won, the last first, with their winners."""
    won = Tournament.objects.filter(club=club, phase=PHASES.OVER, placings__place=1).distinct()
    return _with_winners(won).order_by("-ended_at", "pk")


# Results out of a file


# Days
