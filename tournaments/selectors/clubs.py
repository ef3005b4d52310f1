"""What the pages of a club show of what it plays: the same number of queries however much that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from accounts.cells import cell
from accounts.models import Club, User
from games.database import now
from games.models import LadderSeason, Match, Seat
from games.selectors import ladders, lists
from tournaments.errors import Refused
from tournaments.models import (
    ClubRecords,
    Entrant,
    Meeting,
    Night,
    NightTemplate,
    Placing,
    Recurrence,
    Season,
    Tournament,
)
from tournaments.rhythm import Rhythm
from tournaments.selectors import words
from tournaments.selectors.pages import Listed
from tournaments.selectors.seasons import champions as season_champions
from tournaments.services import imports, nights, records
from tournaments.terms import Terms

MOST_AHEAD, MOST_LAST, MOST_RESULTS, MOST_SEASONS = 6, 5, 8, 5
PHASES = Tournament.Phase
RECORDS: dict[str, str | Promise] = {
    "matches": gettext_lazy("Most matches"),
    "wins": gettext_lazy("Most matches won"),
    "streak": gettext_lazy("Longest series of wins"),
    "rating": gettext_lazy("Highest rating"),
    "gammons": gettext_lazy("Most gammons"),
}


# The page of a club


@dataclass(frozen=True, slots=True)
class Ended:
    """A tournament that is over, with who won it."""

    tournament: Tournament
    winners: list[Placing]

    @property
    def ended(self) -> str:
        return words.moment(self.tournament.ended_at, ZoneInfo(self.tournament.timezone))


@dataclass(frozen=True, slots=True)
class Front:
    """What a club plays now."""

    running: list[Listed]
    ahead: list[Listed]
    ended: list[Ended]
    ladders: list[Any]
    results: list[lists.Row]
    seasons: list[Season]
    ladder_seasons: list[LadderSeason]
    nights: list[tuple[str, str]] = field(default_factory=list)  # what opens next, and when

    @property
    def empty(self) -> bool:
        return not (self.running or self.ahead or self.ended or self.ladders)


def front(club: Club, user: User | None) -> Front:
    """The page of a club for one viewer."""
    counted = Tournament.objects.filter(club=club).annotate(
        players=Count("entrants", filter=Q(entrants__withdrawn=False, entrants__waiting=False))
    )
    ahead = counted.filter(phase__in=(PHASES.OPEN, PHASES.DRAWN)).order_by(F("starts_at").asc(nulls_last=True), "pk")
    mine = (
        set(Entrant.objects.filter(user=user, withdrawn=False, waiting=False).values_list("tournament", flat=True))
        if user
        else ()
    )
    over = Tournament.objects.filter(club=club, phase=PHASES.OVER).order_by("-ended_at")
    groups = [group for group in ladders.of_clubs(user) if group.club.pk == club.pk]
    return Front(
        running=_listed(counted.filter(phase=PHASES.RUNNING).order_by("-begun_at")[:MOST_AHEAD], mine),
        ahead=_listed(ahead[:MOST_AHEAD], mine),
        ended=[Ended(one, one.winners) for one in _with_winners(over)[:MOST_LAST]],
        ladders=groups[0].open if groups else [],
        results=_results(club),
        seasons=list(Season.objects.filter(club=club)[:MOST_SEASONS]),
        ladder_seasons=list(_seasons(club)[:MOST_SEASONS]),
        nights=_opening(club),
    )


def _listed(found: QuerySet[Any], mine: Any) -> list[Listed]:
    return [Listed(one, Terms.read(one.terms), one.players, one.pk in mine) for one in found]


def _with_winners(found: QuerySet[Tournament]) -> QuerySet[Any]:
    """Each with its `winners`, who share the first place."""
    return found.prefetch_related(Prefetch("placings", Placing.objects.filter(place=1), "winners"))


def _results(club: Club) -> list[lists.Row]:
    """The last matches of its tournaments, and those over the board that it keeps; each by its own index."""
    met = Meeting.objects.filter(tournament__club=club, match__status=Match.Status.OVER)
    kept = club.outside_results.filter(match__status=Match.Status.OVER)
    found = [
        *met.order_by("-match__ended_at").values_list("match_id", flat=True)[:MOST_RESULTS],
        *kept.order_by("-match__ended_at").values_list("match_id", flat=True)[:MOST_RESULTS],
    ]
    seats = Prefetch("seats", Seat.objects.select_related("user").order_by("-side"))
    matches = Match.objects.filter(pk__in=found).defer("snapshot", "clock").prefetch_related(seats)
    return lists.rows(matches.order_by("-ended_at", "-pk")[:MOST_RESULTS], None)


def _seasons(club: Club) -> QuerySet[LadderSeason]:
    return LadderSeason.objects.filter(ladder__club=club).select_related("ladder").order_by("-ended_at", "pk")


def _opening(club: Club) -> list[tuple[str, str]]:
    """The nights that open themselves next: what they are called, and on which day."""
    due = Recurrence.objects.filter(template__club=club, due_at__isnull=False).select_related("template__club")
    found, here = [], now()
    for one in due.prefetch_related("nights").order_by("due_at")[:3]:
        if ahead := nights.next_days(one, 1, here):
            day = ahead[0][0]
            found.append((one.template.name, f"{weekday(day.weekday())}, {date_format(day, 'DATE_FORMAT')}"))
    return found


# Records and hall of fame


@dataclass(frozen=True, slots=True)
class Record:
    """A record of the club's members: the first is the holder."""

    name: str
    rows: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Fame:
    """The hall of fame: records, who won most, who won which season."""

    records: list[Record]
    counted_at: datetime
    titles: list[dict[str, Any]]
    seasons: list[tuple[LadderSeason, dict[str, Any]]]
    tables: list[tuple[Season, list[str]]]  # seasons of tournaments that are over, with who won each


def fame(club: Club) -> Fame:
    """The records as they were last counted (now, where they never were), titles and winners of seasons."""
    row = ClubRecords.objects.filter(club=club).first() or records.records_count(club_id=club.pk)
    named = [Record(str(name), row.found.get(key, [])) for key, name in RECORDS.items()]
    titles: Any = Placing.objects.filter(tournament__club=club, place=1).values("name").annotate(n=Count("pk"))
    return Fame(
        records=[record for record in named if record.rows],
        counted_at=row.counted_at,
        titles=list(titles.order_by("-n", "name")[:MOST_LAST]),
        seasons=[(season, season.table[0]) for season in _seasons(club)[:20] if season.table],
        tables=season_champions(club),
    )


def champions(club: Club) -> QuerySet[Any]:
    """The tournaments of a club that somebody won, the last first, with who it was."""
    won = Tournament.objects.filter(club=club, phase=PHASES.OVER, placings__place=1).distinct()
    return _with_winners(won).order_by("-ended_at", "pk")


# Nights


@dataclass(frozen=True, slots=True)
class Repeated:
    """A night that repeats, with its next dates and those that are left out."""

    recurrence: Recurrence
    rhythm: str
    ahead: list[tuple[date, str]]
    skipped: list[date]
    faults: list[tuple[date, str]]
    made: list[Night]

    @property
    def state(self) -> str:
        return str(Recurrence.Status(self.recurrence.status).label)


@dataclass(frozen=True, slots=True)
class Template:
    """A template of nights, what it is in a line, and the nights that repeat from it."""

    template: NightTemplate
    facts: str
    repeated: list[Repeated]


def templates(club: Club) -> list[Template]:
    """The templates of a club with everything that repeats from them."""
    played = Night.objects.select_related("tournament").order_by("-date")
    chosen = Recurrence.objects.exclude(status=Recurrence.Status.STOPPED).prefetch_related(Prefetch("nights", played))
    found = club.night_templates.prefetch_related(Prefetch("recurrences", chosen))
    shown, here = [], now()
    for one in found:
        one.club = club
        for each in one.recurrences.all():
            each.template = one
        shown.append(Template(one, facts_of(one.terms), [_repeated(each, here) for each in one.recurrences.all()]))
    return shown


def _repeated(one: Recurrence, here: datetime) -> Repeated:
    handled = list(one.nights.all())
    today = one.template.club.today()
    ahead = nights.next_days(one, 4, here)
    return Repeated(
        recurrence=one,
        rhythm=rhythm_words(Rhythm.read(one.rhythm)),
        ahead=[(day, f"{weekday(day.weekday())}, {date_format(day, 'DATE_FORMAT')}") for day, _start in ahead],
        skipped=sorted(night.date for night in handled if night.why == nights.SKIPPED and night.date >= today),
        faults=[(night.date, Refused(night.why).text) for night in handled if night.why not in ("", nights.SKIPPED)],
        made=[night for night in handled if night.tournament is not None][:3],
    )


def facts_of(terms: dict[str, Any]) -> str:
    """What is played, in a line."""
    read = Terms.read(terms)
    return f"{words.format_of(read.config)} · {words.lengths(read.lengths)}"


# Results out of a file


@dataclass(frozen=True, slots=True)
class Told:
    """A line of a file as the page shows it: what would happen to it, and why; cells that no spreadsheet computes."""

    number: int
    what: str
    cells: list[str]
    why: str = ""
    unknown: list[str] = field(default_factory=list)
    rated: bool = False


def told_lines(verdicts: list[imports.Verdict]) -> list[Told]:
    """What would happen to each line of a file."""
    return [_told(one) for one in verdicts]


def _told(one: imports.Verdict) -> Told:
    why = Refused(one.code).text if one.code else ""
    line = one.line
    if line is None:
        return Told(one.number, one.what, [cell(one_cell) for one_cell in one.cells], why)
    day = date_format(line.day, "SHORT_DATE_FORMAT")
    names = [who.username if isinstance(who, User) else who for who in (one.player, one.rival)]
    score = "–".join(map(str, line.points))
    cells = [text for text in (day, *map(cell, names), str(line.length), score, cell(line.event)) if text]
    unknown = [who for who in (one.player, one.rival) if isinstance(who, str)]
    return Told(one.number, one.what, cells, why, unknown, one.rated)


# Days


WEEKDAYS: tuple[str | Promise, ...] = (
    pgettext_lazy("weekday", "Monday"),
    pgettext_lazy("weekday", "Tuesday"),
    pgettext_lazy("weekday", "Wednesday"),
    pgettext_lazy("weekday", "Thursday"),
    pgettext_lazy("weekday", "Friday"),
    pgettext_lazy("weekday", "Saturday"),
    pgettext_lazy("weekday", "Sunday"),
)
NTHS: dict[int, str | Promise] = {
    1: gettext_lazy("the first of the month"),
    2: gettext_lazy("the second of the month"),
    3: gettext_lazy("the third of the month"),
    4: gettext_lazy("the fourth of the month"),
    -1: gettext_lazy("the last of the month"),
}


def weekday(number: int) -> str:
    """The name of a weekday, 0 is Monday."""
    return str(WEEKDAYS[number])


def rhythm_words(rhythm: Rhythm) -> str:
    """`Thursday, every 2 weeks`, `Friday, the last of the month`."""
    days = ", ".join(weekday(day) for day in sorted(rhythm.weekdays))
    if rhythm.kind == "monthly":
        said = str(NTHS[rhythm.nth])
    elif rhythm.every == 1:
        said = _("every week")
    else:
        said = ngettext("every %(n)s week", "every %(n)s weeks", rhythm.every) % {"n": rhythm.every}
    return f"{days}, {said}"
