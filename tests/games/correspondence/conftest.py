"""A match by correspondence before bea's decision about the cube."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest

from accounts.models import User
from games.models import Match
from games.services import Answer
from tests.games.hands_of_time import Time

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]


@pytest.fixture
def to_double(time: Time, open_table: Open, act: Act, thrown: Dice, ana: User, bea: User) -> Match:
    """At three days a turn: bea is to roll or double, at version 4, and ana has just played."""
    thrown.append((3, 1))
    match = open_table(clock="days3", rated=False)
    act(match, ana, "roll")
    act(match, bea, "roll")
    act(match, ana, "8/5 6/5")
    return match
