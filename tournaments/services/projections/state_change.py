"""A transaction as projections see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Entrant, Tournament
from tournaments.state import Person, State


@dataclass(frozen=True, slots=True)
class StateChange:
    """A transaction as projections see it: the states before and after it, and `moment`, when it took its lock.

    `entrants` are the rows of the entrants by number. `away`: the tournament is played at a venue, and nothing of it is
    open or due on this site (ruling E27).
    """

    tournament: Tournament
    entrants: Mapping[int, Entrant]
    before: State
    after: State
    moment: datetime
    away: bool = False

    @property
    def moved(self) -> bool:
        """Whether the tournament has gone to a venue, or has come back."""
        return (self.before.venue_stay is None) != (self.after.venue_stay is None)

    @property
    def phase_changed(self) -> bool:
        return self.tournament.phase != self.after.phase

    def replaced_people(self) -> dict[int, Person]:
        """The new holder of each entrant's place that is held by another person than before."""
        before, after = self.before.people, self.after.people
        numbers = {number for number in before.keys() | after.keys() if before.get(number) != after.get(number)}
        return {number: after[number][-1] if number in after else before[number][0] for number in numbers}
