"""What fails by its dice fails again."""

from __future__ import annotations

import pytest

from games.dice import system_roll
from games.models.play import new_match_id
from games.services import chains
from tests.services.luck import Luck


def drawn(luck: Luck, seed: str) -> tuple[object, ...]:
    luck.begin(seed)
    return new_match_id(), chains._made().element(7), [system_roll("match", n, {}) for n in range(9)]


def test_a_test_throws_the_same_dice_each_time(luck: Luck) -> None:
    assert drawn(luck, "1 a test") == drawn(luck, "1 a test")


@pytest.mark.parametrize("other", ["2 a test", "1 another test"])
def test_other_luck_and_another_test_throw_other_dice(luck: Luck, other: str) -> None:
    assert all(one != two for one, two in zip(drawn(luck, "1 a test"), drawn(luck, other), strict=True))
