"""Conflicts of a weekend (ruling E23): people who are wanted in two of its tournaments, now or by the schedule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from zoneinfo import ZoneInfo

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournaments.models import Entrant, Tournament, TournamentRound, Weekend
from tournaments.player_keys import player_key
from tournaments.selectors import labels
from tournaments.selectors.weekends.open_pairings import open_meetings
from tournaments.selectors.weekends.people import people_by_key, tournaments_of
from tournaments.without_accents import without_accents

USUAL_ROUND = timedelta(minutes=60)  # how long a round lasts where its tournament does not say


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tournament in which a person has a match to play now, and the board (None: not called)."""

    tournament: Tournament
    board: int | None

    @property
    def place(self) -> str:
        """`Novice, board 7`."""
        if self.board is None:
            return self.tournament.name
        return _("%(tournament)s, board %(board)s") % {"tournament": self.tournament.name, "board": self.board}


@dataclass(frozen=True, slots=True)
class Conflict:
    """A person who has a match to play in several tournaments."""

    name: str
    wanted: list[Wanted]

    @property
    def places(self) -> str:
        return " · ".join(each.place for each in self.wanted)


@dataclass(frozen=True, slots=True)
class Slot:
    """A tournament that plays from a moment on: its start, or a round."""

    tournament: Tournament
    begins: datetime
    ends: datetime

    def overlaps(self, other: Slot) -> bool:
        return self.begins < other.ends and other.begins < self.ends


@dataclass(frozen=True, slots=True)
class Clash:
    """Two tournaments that will play at the same time, and who is in both."""

    first: Slot
    second: Slot
    zone: ZoneInfo
    names: list[str]

    @property
    def title(self) -> str:
        """`Masters (5 Dec, 10:00) and Novice (5 Dec, 10:30)`."""
        moments = [labels.format_moment(slot.begins, self.zone, labels.SHORT) for slot in (self.first, self.second)]
        return _("%(a)s (%(at_a)s) and %(b)s (%(at_b)s)") % {
            "a": self.first.tournament.name,
            "at_a": moments[0],
            "b": self.second.tournament.name,
            "at_b": moments[1],
        }

    @property
    def people(self) -> str:
        return ", ".join(self.names)

    @property
    def tournament_ids(self) -> tuple[str, str]:
        return self.first.tournament.pk, self.second.tournament.pk


def conflicts_now(weekend: Weekend) -> list[Conflict]:
    """The people who have matches to play in several tournaments now, in one query."""
    found: dict[str, tuple[str, dict[str, Wanted]]] = {}
    for row in open_meetings(weekend).order_by("tournament__created_at", "pk"):
        for entrant in (row.a, row.b):
            _name, wanted = found.setdefault(player_key(entrant.user_id, entrant.name), (entrant.name, {}))
            known = wanted.get(row.tournament_id)
            if known is None or known.board is None:
                wanted[row.tournament_id] = Wanted(row.tournament, row.board)
    conflicts = [Conflict(name, list(wanted.values())) for name, wanted in found.values() if len(wanted) > 1]
    return sorted(conflicts, key=lambda conflict: without_accents(conflict.name))


def conflict_notes(tournament: Tournament) -> list[str]:
    """What the desk of a tournament says about conflicts: `Bea is also wanted in Novice, board 7.`"""
    weekend = tournament.weekend
    if weekend is None or tournament.phase in (Tournament.Phase.OVER, Tournament.Phase.CANCELLED):
        return []
    notes = []
    for conflict in conflicts_now(weekend):
        if any(wanted.tournament.pk == tournament.pk for wanted in conflict.wanted):
            others = [wanted.place for wanted in conflict.wanted if wanted.tournament.pk != tournament.pk]
            text = _("%(name)s is also wanted in %(place)s.")
            notes.append(capfirst(text % {"name": conflict.name, "place": " · ".join(others)}))
    for clash in clashes_ahead(weekend):
        if tournament.pk in clash.tournament_ids:
            text = _("Same time: %(title)s. In both: %(names)s.")
            notes.append(text % {"title": clash.title, "names": clash.people})
    return notes


def clashes_ahead(weekend: Weekend) -> list[Clash]:
    """The first times at which two tournaments will play at once, with the people who are in both; three queries."""
    zone = ZoneInfo(weekend.club.timezone)
    people = people_by_key(weekend)
    players = {
        key: {pk for pk, entrant in person.entries.items() if _takes_part(entrant)} for key, person in people.items()
    }
    found = []
    for first, second in overlapping(_slots(weekend)):
        both = {first.tournament.pk, second.tournament.pk}
        names = [people[key].name for key, entered in players.items() if both <= entered]
        if names:
            found.append(Clash(first, second, zone, names))
    return found


def overlapping(slots: Iterable[Slot]) -> list[tuple[Slot, Slot]]:
    """Of each two tournaments the first slots that overlap, in the order of time."""
    first: dict[tuple[str, str], tuple[Slot, Slot]] = {}
    for a, b in combinations(sorted(slots, key=lambda slot: (slot.begins, slot.tournament.pk)), 2):
        if a.tournament.pk != b.tournament.pk and a.overlaps(b):
            first.setdefault((min(a.tournament.pk, b.tournament.pk), max(a.tournament.pk, b.tournament.pk)), (a, b))
    return list(first.values())


def _takes_part(entrant: Entrant) -> bool:
    return not (entrant.withdrawn or entrant.waiting)


def _slots(weekend: Weekend) -> list[Slot]:
    """The starts and rounds that are still to come."""
    tournaments = {tournament.pk: tournament for tournament in tournaments_of(weekend)}
    ahead = (Tournament.Phase.OPEN, Tournament.Phase.DRAWN)
    moments = [
        (tournament, tournament.starts_at)
        for tournament in tournaments.values()
        if tournament.starts_at is not None and tournament.phase in ahead
    ]
    rows = TournamentRound.objects.filter(tournament__weekend=weekend, open_at__isnull=False, opened_at=None)
    moments += [(tournaments[pk], at) for pk, at in rows.values_list("tournament_id", "open_at").distinct() if at]
    return [Slot(tournament, at, at + _round_length(tournament)) for tournament, at in moments]


def _round_length(tournament: Tournament) -> timedelta:
    minutes = tournament.terms.get("round_minutes") or 0
    return timedelta(minutes=minutes) if minutes else USUAL_ROUND
