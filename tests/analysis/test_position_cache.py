"""Evaluations are cached, and the same query is not computed twice."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from analysis import services
from analysis.models import PositionCache
from analysis.sage_analyst import SageAnalyst
from analysis.services import position_cache
from games import replay
from games.bots.engine import EngineMissing
from games.database import now
from games.registry import RULES
from games.replay import State

pytestmark = pytest.mark.django_db


@pytest.fixture
def opening() -> State:
    """White is to play 3-1, the first roll of a match to 5."""
    state = replay.start(RULES["backgammon"], 5, {"cube": True, "cube_cap": 64, "crawford": True})
    return replay.fold(state, [("white", "roll"), ("black", "roll"), ("chance", "dice 31")])


def rate(state: State, played: str = "") -> Any:
    return services.plays_of(state.position, state.score.view(), "white", "quick", played, variant="backgammon")


def test_a_second_query_is_answered_from_the_cache(opening: State, monkeypatch: Any) -> None:
    first = rate(opening)
    assert first.best.play == "8/5 6/5"
    assert PositionCache.objects.count() == 1
    monkeypatch.setattr(SageAnalyst, "plays", None)
    assert rate(opening) == first


def test_another_played_move_is_evaluated(opening: State) -> None:
    rate(opening)
    found = rate(opening, "24/23 24/21").of("24/23 24/21")
    assert found.plies == 2
    assert PositionCache.objects.count() == 1


def test_the_score_is_part_of_the_cache_key(opening: State) -> None:
    rate(opening)
    services.plays_of(opening.position, {**opening.score.view(), "white": 4}, "white", "quick", variant="backgammon")
    assert PositionCache.objects.count() == 2


def test_a_cube_decision_is_cached_too(opening: State) -> None:
    state = opening.after("white", "8/5 6/5")
    first = services.cube_of(state.position, state.score.view(), "black", "quick", variant="backgammon")
    assert services.cube_of(state.position, state.score.view(), "black", "quick", variant="backgammon") == first
    assert PositionCache.objects.count() == 1


def test_unused_entries_are_deleted(opening: State) -> None:
    rate(opening)
    assert services.answers_sweep() == 0
    PositionCache.objects.update(used_at=now() - position_cache.KEPT - timedelta(hours=1))
    assert services.answers_sweep() == 1


def test_a_use_is_recorded(opening: State) -> None:
    rate(opening)
    PositionCache.objects.update(used_at=now() - timedelta(days=5))
    rate(opening)
    assert PositionCache.objects.get().used_at > now() - timedelta(minutes=1)


def test_no_engine_analyses_acey_deucey(opening: State) -> None:
    with pytest.raises(EngineMissing):
        services.plays_of(opening.position, opening.score.view(), "white", "quick", variant="acey")
