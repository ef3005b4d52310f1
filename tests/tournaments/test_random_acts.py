"""Whoever does whatever at the tournaments of a weekend, in whatever order: see `random_acts.py`.

`RANDOM_ACTS=200` runs more of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import combinations_with_replacement

import pytest

from accounts.models import User
from tests.tournaments.random_acts import SHAPES, Clock, RandomWeekend

pytestmark = [pytest.mark.django_db, pytest.mark.looks]

PAIRS = list(combinations_with_replacement(SHAPES, 2))
SIZES = (2, 3, 5, 8, 13, 33)
STEPS = 45


def run(shapes: tuple[str, str], seed: int, people: list[User], dora: User, clock: Clock) -> RandomWeekend:
    sizes = [SIZES[(seed + each) % len(SIZES)] for each in (0, 2)]
    weekend = RandomWeekend(shapes, sizes, seed, people, dora, clock)
    for step in range(STEPS):
        name = weekend.act()
        try:
            weekend.check()
        except AssertionError as error:
            raise AssertionError(f"{shapes} {sizes} {seed}, step {step}: {name}") from error
    return weekend


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr("tournaments.services.transaction.now", found)
    return found


@pytest.mark.parametrize("seed", range(int(os.environ.get("RANDOM_ACTS", "0")) or len(PAIRS)))
def test_random_acts_of_random_roles_break_nothing(
    seed: int, dora: User, person: Callable[..., User], clock: Clock
) -> None:
    people = [person(name) for name in ("ana", "bea", "carlos", "eva", "fede", "gala")]
    weekend = run(PAIRS[seed % len(PAIRS)], seed, people, dora, clock)
    assert {"configured", "boards"} < set(weekend.kinds())
