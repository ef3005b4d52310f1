"""A tournament that goes to a venue, and its club."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import Club, Membership, User
from tests.tournaments.conftest import terms
from tournaments import services
from tournaments.models import Tournament


@pytest.fixture
def club(dora: User) -> Club:
    made = Club.objects.create(name="Peña", slug="pena", outside=True)
    Membership.objects.create(club=made, user=dora, role="owner")
    return made


@pytest.fixture
def players(person: Callable[..., User]) -> list[User]:
    return [person(name) for name in ("ana", "bea", "carlos", "elena", "fabio", "gina")]


@pytest.fixture
def swiss(club: Club, players: list[User], dora: User) -> Tournament:
    """A rated Swiss over the board, of six members and a walk-in, that has not begun."""
    made = services.tournament_create(
        creator=dora,
        club=club,
        name="Open de otoño",
        terms=terms("swiss", config={"rounds": 3}, rated=True, clock="club", venue="board", lengths=[5]),
    )
    for user in players:
        services.entrant_register(tournament_id=made.pk, user=user)
    services.entrant_add(tournament_id=made.pk, user=dora, name="Paco")
    return made
