"""What stands at the head of every page of a tournament."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.fold import State
from tournaments.models import Tournament
from tournaments.selectors import words
from tournaments.selectors.cards import Sheet


@dataclass(frozen=True)
class Head:
    """A page about the tournament of a sheet."""

    sheet: Sheet

    @property
    def tournament(self) -> Tournament:
        return self.sheet.tournament

    @property
    def state(self) -> State:
        return self.sheet.state

    @property
    def phase(self) -> str:
        return words.named(words.PHASES, self.state.phase)

    @property
    def format(self) -> str:
        return words.format_of(self.state.rules.config)

    @property
    def starts(self) -> str:
        return words.moment(self.tournament.starts_at, self.sheet.zone)
