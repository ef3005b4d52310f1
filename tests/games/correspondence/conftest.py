"""A correspondence match before bea's cube decision."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from accounts.models import User
from games.models import Match
from games.services import Answer
from tests.games.clock_control import Time

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]


@pytest.fixture
def to_double(time: Time, open_table: Open, act: Act, next_rolls: Dice, ana: User, bea: User) -> Match:
    """At three days per turn: bea is to roll or double, at version 4, and ana has just played."""
    next_rolls.append((3, 1))
    match = open_table(clock="days3", rated=False)
    act(match, ana, "roll")
    act(match, bea, "roll")
    act(match, ana, "8/5 6/5")
    return match
