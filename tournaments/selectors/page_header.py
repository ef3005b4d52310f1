"""The base of every page of a tournament: its name, phase, format and start."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tournaments.models import Tournament
from tournaments.selectors import labels
from tournaments.selectors.pairing_cards import TournamentSnapshot
from tournaments.selectors.venue_status import VenueStatus, venue_status
from tournaments.state import State


@dataclass(frozen=True)
class PageHeader:
    """A page about the tournament of a snapshot."""

    snapshot: TournamentSnapshot

    @property
    def tournament(self) -> Tournament:
        return self.snapshot.tournament

    @property
    def state(self) -> State:
        return self.snapshot.state

    @property
    def phase(self) -> str:
        return labels.label_of(labels.PHASES, self.state.phase)

    @property
    def format(self) -> str:
        return labels.format_label(self.state.rules.config)

    @cached_property
    def venue(self) -> VenueStatus | None:
        """Where the tournament is, if it was taken to a venue."""
        return venue_status(self.tournament, self.state)

    @property
    def of_teams(self) -> bool:
        """Whether teams play."""
        return bool(self.state.teams.boards)

    @property
    def starts(self) -> str:
        return labels.format_moment(self.tournament.starts_at, self.snapshot.zone)
