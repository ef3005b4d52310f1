"""Entrants of a tournament by their names."""

from __future__ import annotations

from tests.tournaments.conftest import fresh
from tournaments.models import Entrant, Tournament


def active_names(tournament: Tournament) -> list[str]:
    """The names of those who have a place, in their order."""
    names = {entrant.number: entrant.name for entrant in Entrant.objects.filter(tournament=tournament)}
    state = fresh(tournament)
    return [names[number] for number in state.entrants if number not in state.withdrawn]


def number_of(tournament: Tournament, name: str) -> int:
    return next(entrant.number for entrant in Entrant.objects.filter(tournament=tournament) if entrant.name == name)
