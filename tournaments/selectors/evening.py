"""What happens around play, as the desk and the tournament's page show it: waiting, late entries, breaks, wishes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from django.utils.translation import gettext as _

from tournaments.errors import Refused
from tournaments.filling import players, whole
from tournaments.formats.core import Invalid, Two
from tournaments.models import Entrant
from tournaments.selectors import words
from tournaments.selectors.cards import Sheet
from tournaments.services.conditions import closes_at
from tournaments.services.filling import place_of, why_not
from tournaments.waves import next_wave

LATE_EVERY = timedelta(minutes=5)  # a point that is proposed for each of them


@dataclass(frozen=True, slots=True)
class Break:
    """A break as it stands on a page; without an end somebody ends it by hand."""

    title: str
    why: str
    until_iso: str


@dataclass(frozen=True, slots=True)
class Wish:
    """Two who shall meet in the next round, or never (`kind`: together, apart)."""

    kind: str
    a: int
    b: int
    text: str


@dataclass(frozen=True, slots=True)
class Filling:
    """How many players there are, and how many make a whole field."""

    count: int
    whole: int

    @property
    def missing(self) -> int:
        return self.whole - self.count


@dataclass(frozen=True)
class Evening:
    """The evening of the tournament of a sheet, at a moment."""

    sheet: Sheet
    moment: datetime
    round_name: Callable[[str, int], str] = lambda section, round_: _("Round %(n)s") % {"n": round_}

    # Entering

    @cached_property
    def filling(self) -> Filling | None:
        """What the computer could fill; None where it cannot play, or entries are closed."""
        state = self.sheet.state
        if state.phase != "open" or why_not(state.rules) is not None:
            return None
        places = [place_of(one) for one in self.sheet.entrants.values() if one.plays]
        count = players(places, check_in=state.rules.check_in)
        return Filling(count, whole(state.format.sections, count))

    @cached_property
    def waiting(self) -> list[Entrant]:
        """Who waits for a place, the first one first."""
        return [self.sheet.entrants[number] for number in self.sheet.state.waiting]

    def place_of(self, number: int) -> int:
        """The place of an entrant on the waiting list, from 1; 0 where he does not wait."""
        waiting = self.sheet.state.waiting
        return waiting.index(number) + 1 if number in waiting else 0

    @property
    def my_place(self) -> int:
        return self.place_of(self.sheet.mine) if self.sheet.mine is not None else 0

    @property
    def closes(self) -> str:
        """When entries close, where that is before the draw."""
        closes = closes_at(self.sheet.tournament, self.sheet.state.rules)
        return words.moment(closes, self.sheet.zone, words.SHORT)

    @property
    def closed(self) -> bool:
        closes = closes_at(self.sheet.tournament, self.sheet.state.rules)
        return closes is not None and closes <= self.moment

    @property
    def invited(self) -> str:
        """The path that lets people in, where they need to be let in; "" before somebody made it."""
        one = self.sheet.tournament
        if self.sheet.state.rules.entry == "all" or not one.invitation:
            return ""
        return f"/tournaments/{one.pk}/?invite={one.invitation}"

    @property
    def paid(self) -> int:
        return sum(one.paid and one.plays for one in self.sheet.entrants.values())

    @property
    def predecessors(self) -> Mapping[int, str]:
        """Whose place a substitute has: `for carlos`."""
        people = self.sheet.state.people
        return {number: _("for %(name)s") % {"name": those[-2].name} for number, those in people.items()}

    # Late entries

    @property
    def takes_late(self) -> bool:
        """Whether somebody may still come after the draw; whether there is room, the service says."""
        return self.sheet.state.phase in ("drawn", "running")

    @property
    def tabular(self) -> bool:
        """Whether it is paired while it runs: a late one misses rounds, and wishes can be had."""
        return self.sheet.state.format.sections == "table"

    @property
    def late_points(self) -> int:
        """The penalty that is proposed for one who comes now: a point for each five minutes since play began."""
        begun = self.sheet.tournament.begun_at
        if begun is None or self.tabular:
            return 0
        length = self.sheet.state.rules.lengths[0]
        return min(max((self.moment - begun) // LATE_EVERY, 0), length - 1)

    # Wishes

    @property
    def wishes(self) -> list[Wish]:
        state = self.sheet.state
        return [
            *(self._wish("together", two, _("%(a)s meets %(b)s in the next round")) for two in state.together),
            *(self._wish("apart", two, _("%(a)s never meets %(b)s")) for two in state.apart),
        ]

    def _wish(self, kind: str, two: Two, said: str) -> Wish:
        a, b = two
        return Wish(kind, a, b, said % {"a": self.sheet.name(a), "b": self.sheet.name(b)})

    # Time

    @property
    def recess(self) -> Break | None:
        """The break that is now."""
        recess = self.sheet.state.recess
        if recess is None or self.sheet.state.phase != "running":
            return None
        until = datetime.fromisoformat(recess.until) if recess.until else None
        if until is None:
            return Break(_("Play is adjourned"), recess.why, "")
        local = until.astimezone(self.sheet.zone)
        title = _("Break: back at %(time)s") % {"time": words.moment(until, self.sheet.zone, words.HOUR)}
        return Break(title, recess.why, local.isoformat(timespec="seconds"))

    @cached_property
    def next_round(self) -> tuple[str, str] | None:
        """The next round that does not open as it comes: its name, and when it opens by itself ("" for by hand)."""
        state = self.sheet.state
        if state.phase != "running" or state.rules.pace == "flow" or state.recess is not None:
            return None
        wave = next_wave(state)
        rounds = wave.rounds or wave.unpaired
        if not rounds:
            return None
        said = state.times.get(rounds[0])
        at = words.moment(datetime.fromisoformat(said), self.sheet.zone, words.SHORT) if said else ""
        name = self.round_name(*rounds[0]) if len(rounds) == 1 else _("Round %(n)s") % {"n": rounds[0][1]}
        return name, at


def unpaired(fault: Invalid, names: Mapping[int, str]) -> str:
    """Why the next round cannot be paired as the director wishes."""
    numbers: tuple[int, ...] = tuple(fault.params.get("entrants", ()))  # type: ignore[arg-type]
    return Refused(fault.code, params={"names": ", ".join(names.get(number, "?") for number in numbers)}).text
