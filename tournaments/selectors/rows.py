"""Entrants, pairings and standings of a tournament one by one, for those who read it a page at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.fold import State
from tournaments.formats.core import Pairing, Slot
from tournaments.models import Entrant, Meeting, Tournament
from tournaments.selectors.exports import source_of
from tournaments.selectors.pages import tournament_named
from tournaments.services.desk import state_of


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two of a pairing."""

    entrant: int | None
    name: str
    comes_from: str


@dataclass(frozen=True, slots=True)
class Row:
    """A pairing with its two by name, its result and its match."""

    pairing: Pairing
    a: Side
    b: Side
    length: int
    match: str | None
    open: bool
    due_at: datetime | None

    @property
    def winner(self) -> int | None:
        return self.pairing.winner

    @property
    def points(self) -> list[float] | None:
        result = self.pairing.result
        return list(result.points) if result is not None and result.points else None

    @property
    def how(self) -> str | None:
        return self.pairing.result.how if self.pairing.result is not None else None

    @property
    def why(self) -> str:
        return self.pairing.result.why if self.pairing.result is not None else ""


@dataclass(frozen=True)
class Sheet:
    """A tournament as it stands, with who plays in it. Two queries beside its events."""

    tournament: Tournament
    state: State
    entrants: Mapping[int, Entrant]

    def name(self, number: int | None) -> str:
        return self.entrants[number].name if number is not None else ""

    def chosen(self, *, section: str = "", round_: int | None = None, entrant: int | None = None) -> list[Pairing]:
        """The pairings of a section, a round, an entrant; those that nobody comes to are none."""
        return [
            one
            for one in self.state.pairings
            if one.state != "void"
            and (not section or one.section == section)
            and (round_ is None or one.round == round_)
            and (entrant is None or entrant in one.entrants)
        ]

    def rows(self, pairings: Sequence[Pairing]) -> list[Row]:
        """These pairings as they are told; one query."""
        keys = [one.key for one in pairings]
        found = self.tournament.meetings.filter(key__in=keys).order_by()
        meetings = {one.key: one for one in found}
        return [self._row(one, meetings.get(one.key)) for one in pairings]

    def _row(self, one: Pairing, meeting: Meeting | None) -> Row:
        ready = meeting is not None and one.state == "ready"
        match = one.result.match if one.result is not None and one.result.match else None
        return Row(
            pairing=one,
            a=self._side(one.a),
            b=self._side(one.b),
            length=self.state.rules.length(one.section, one.round),
            match=match or (meeting.match_id if meeting is not None else None),
            open=bool(ready and meeting is not None and meeting.opened_at is not None),
            due_at=meeting.due_at if ready and meeting is not None else None,
        )

    def _side(self, slot: Slot) -> Side:
        return Side(slot.entrant, self.name(slot.entrant), source_of(slot))


def sheet(tournament_id: str) -> Sheet:
    """A tournament to be read line by line. Raises NotFound."""
    tournament = tournament_named(tournament_id)
    entrants = {one.number: one for one in tournament.entrants.select_related("user")}
    return Sheet(tournament, state_of(tournament), entrants)
