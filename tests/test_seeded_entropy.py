"""Seeded entropy: a test rolls the same dice each time."""

from __future__ import annotations

import pytest

from games.dice import system_roll
from games.models.match import new_match_id
from games.services import dice_chains
from tests.services.seeded_entropy import Luck


def drawn(luck: Luck, seed: str) -> tuple[object, ...]:
    luck.begin(seed)
    return new_match_id(), dice_chains._make_chain().element(7), [system_roll("match", n, {}) for n in range(9)]


def test_a_test_rolls_the_same_dice_each_time(luck: Luck) -> None:
    assert drawn(luck, "1 a test") == drawn(luck, "1 a test")


@pytest.mark.parametrize("other", ["2 a test", "1 another test"])
def test_another_seed_and_another_test_roll_other_dice(luck: Luck, other: str) -> None:
    assert all(first != second for first, second in zip(drawn(luck, "1 a test"), drawn(luck, other), strict=True))
