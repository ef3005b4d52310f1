"""Every decision falls in one phase of the game."""

from __future__ import annotations

import pytest

from analysis.phases import has_contact, phase_of
from tests.analysis.boards import START, board

RACE = board({9: 2, 6: 5}, {6: 7})
OFF = board({6: 5, 1: 2}, {6: 7})


@pytest.mark.parametrize(
    ("laid", "roll", "phase"),
    [(START, 1, "opening"), (START, 6, "opening"), (START, 7, "contact"), (RACE, 3, "race"), (OFF, 40, "bearoff")],
)
def test_a_play_has_a_phase(laid: list[int], roll: int, phase: str) -> None:
    assert phase_of(laid, roll=roll, cube=False) == phase


def test_the_cube_is_a_phase_of_its_own() -> None:
    assert phase_of(OFF, roll=40, cube=True) == "cube"


def test_a_checker_on_the_bar_means_contact() -> None:
    assert has_contact(board({6: 5}, {6: 7}, opponent_bar=1))
    assert not has_contact(RACE)
