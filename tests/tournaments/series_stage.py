"""Series for tests: who plays them, and how their results are entered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from tests.tournaments.conftest import fresh
from tournaments import services
from tournaments.errors import Refused
from tournaments.formats.core import Key
from tournaments.models import Tournament
from tournaments.state import State

Make = Callable[..., Tournament]


def refused(code: str, service: Callable[..., Any], **arguments: Any) -> Refused:
    with pytest.raises(Refused) as found:
        service(**arguments)
    assert found.value.code == code
    return found.value


def enter(made: Tournament, dora: User, key: Key, winner: int, won: float = 3, lost: float = 0, **more: Any) -> int:
    a = fresh(made).pairing(key).a.entrant  # type: ignore[union-attr]
    points = (won, lost) if winner == a else (lost, won)
    return services.result_enter(
        tournament_id=made.pk, user=dora, key=key, winner=winner, points=None if more.get("how") else points, **more
    )


def two_members(tournament: Make, dora: User, ana: User, bea: User, **chosen: Any) -> Tournament:
    """ana and bea, the only players, in a series of three."""
    made = tournament(config={"best_of": 3, **chosen.pop("config", {})}, **chosen)
    for user in (ana, bea):
        services.entrant_register(tournament_id=made.pk, user=user)
    services.tournament_start(tournament_id=made.pk, user=dora)
    return made


def result(state: State, fixture: Key) -> tuple[Any, Any, str] | None:
    found = state.fixture_by_key[fixture].result
    return None if found is None else (found.winner, found.points, found.how)
