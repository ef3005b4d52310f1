"""Fixtures: a match of ana (White) and bea (Black), and dice that a test can script."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import pytest

from accounts.models import User
from games import dice, services
from games.models import Match
from games.services import Answer
from tests.games.clock_control import Time


@pytest.fixture
def next_rolls() -> Iterator[deque[tuple[int, int]]]:
    """The scripted dice, in order; when they run out the system's dice are rolled."""
    script: deque[tuple[int, int]] = deque()

    def scripted(match_id: str, index: int, elements: object) -> tuple[int, int]:
        return script.popleft() if script else dice.system_roll(match_id, index, {})

    before = dice.replace_roller(scripted)
    yield script
    dice.replace_roller(before)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    """The database's clock, moved only by the test."""
    return Time(monkeypatch)


@pytest.fixture
def open_table(db: None, ana: User, bea: User) -> Callable[..., Match]:
    """A match that ana opened and bea joined."""

    def make(**terms: object) -> Match:
        wanted: dict[str, object] = {"variant": "backgammon", "length": 5, "clock": "club", "rated": True}
        seek = services.match_create(creator=ana, **{**wanted, **terms})  # type: ignore[arg-type]
        return services.match_join(match_id=seek.pk, user=bea)

    return make


@pytest.fixture
def act() -> Callable[..., Answer]:
    """Act in a match at its present version, under an id of its own."""
    count = 0

    def do(match: Match, user: User, action: str, **more: object) -> Answer:
        nonlocal count
        count += 1
        return services.match_act(
            match_id=match.pk,
            user_id=user.pk,
            action=action,
            **{"client_id": f"test-{count}", **more},  # type: ignore[arg-type]
        )

    return do
