"""Pairings of a tournament as rows, for the API, which reads them a page at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.urls import reverse

from tournaments.formats.core import Key, Pairing, Slot
from tournaments.models import Entrant, Meeting, Team, Tournament
from tournaments.part_keys import fixture_key, part_number
from tournaments.selectors.exports import source_text
from tournaments.selectors.place_names import PlaceNames
from tournaments.selectors.tournament_page import tournament_or_not_found
from tournaments.services.transaction import load_state
from tournaments.state import State

OF_TEAMS = ("as_team__captain", "as_team__club")


@dataclass(frozen=True, slots=True)
class RowSide:
    """A player of a pairing: an entrant, or where the entrant comes from."""

    entrant: int | None
    name: str
    comes_from: str


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A pairing with its players by name, its result and its match."""

    pairing: Pairing
    a: RowSide
    b: RowSide
    length: int
    best_of: int
    match: str | None
    open: bool
    due_at: datetime | None

    @property
    def team_match(self) -> str | None:
        return fixture_key(self.pairing.key) if self.board else None

    @property
    def board(self) -> int | None:
        return (part_number(self.pairing.key) or None) if self.pairing.why.code == "board" else None

    @property
    def series(self) -> str | None:
        return fixture_key(self.pairing.key) if self.number_in_series else None

    @property
    def number_in_series(self) -> int | None:
        return (part_number(self.pairing.key) or None) if self.pairing.why.code == "series" else None

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


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team with its players in the order of the boards."""

    number: int
    name: str
    team: Team
    entrant: Entrant
    players: tuple[int, ...]
    page: str


@dataclass(frozen=True)
class TournamentRows:
    """A tournament and its entrants; two queries beside its events."""

    tournament: Tournament
    state: State
    entrants: Mapping[int, Entrant]

    @cached_property
    def place_names(self) -> PlaceNames:
        return PlaceNames(self.state, self.entrants)

    def name(self, number: int | None, pairing: Pairing | None = None) -> str:
        """The name of an entrant: of the present player, or of the one who played a pairing."""
        return self.place_names.name(number, pairing) if number is not None else ""

    def filtered(
        self, *, section: str = "", round_: int | None = None, entrant: int | None = None, fixtures: bool = False
    ) -> list[Pairing]:
        """The pairings of a section, a round, an entrant; `fixtures`: those of teams, and whole series.

        Void ones are left out.
        """
        return [
            pairing
            for pairing in (self.state.fixtures if fixtures else self.state.pairings)
            if pairing.state != "void"
            and (not section or pairing.section == section)
            and (round_ is None or pairing.round == round_)
            and (entrant is None or entrant in pairing.entrants)
        ]

    def pairing(self, key: Key) -> Pairing | None:
        """A pairing of two players or of two teams, or a series, by its key."""
        return self.state.by_key.get(key) or self.state.fixture_by_key.get(key)

    def teams(self) -> list[TeamRow]:
        """The teams in the order of entry."""
        return [
            TeamRow(
                number,
                entrant.name,
                entrant.as_team,
                entrant,
                self.state.rosters[number],
                reverse("team", args=[self.tournament.pk, number]),
            )
            for number, entrant in sorted(self.entrants.items())
            if number in self.state.rosters
        ]

    def rows(self, pairings: Sequence[Pairing]) -> list[PairingRow]:
        """Rows of these pairings; one query."""
        keys = [pairing.key for pairing in pairings]
        found = self.tournament.meetings.filter(key__in=keys).order_by()
        meetings = {meeting.key: meeting for meeting in found}
        return [self._row(pairing, meetings.get(pairing.key)) for pairing in pairings]

    def _row(self, pairing: Pairing, meeting: Meeting | None) -> PairingRow:
        ready = meeting is not None and pairing.state == "ready"
        match = pairing.result.match if pairing.result is not None and pairing.result.match else None
        return PairingRow(
            pairing=pairing,
            a=self._side(pairing, pairing.a),
            b=self._side(pairing, pairing.b),
            length=self.state.rules.length(pairing.section, pairing.round),
            best_of=self.state.series.length_of(pairing),
            match=match or (meeting.match_id if meeting is not None else None),
            open=bool(ready and meeting is not None and meeting.opened_at is not None),
            due_at=meeting.due_at if ready and meeting is not None else None,
        )

    def _side(self, pairing: Pairing, slot: Slot) -> RowSide:
        return RowSide(slot.entrant, self.name(slot.entrant, pairing), source_text(slot))


def tournament_rows(tournament_id: str) -> TournamentRows:
    """A tournament with its entrants. Raises NotFound."""
    tournament = tournament_or_not_found(tournament_id)
    entrants = {entrant.number: entrant for entrant in tournament.entrants.select_related("user", *OF_TEAMS)}
    return TournamentRows(tournament, load_state(tournament), entrants)
