"""Ruling "Match clock": a delay a turn and a reserve a match, stepped by hand."""

from __future__ import annotations

import pytest

from games import clocks


def test_a_turn_within_the_delay_costs_nothing() -> None:
    clock = clocks.start(600_000, 12_000).spend("white", 12_000)
    assert (clock.white, clock.black, clock.flag) == (600_000, 600_000, None)


def test_what_goes_beyond_the_delay_comes_off_the_reserve() -> None:
    clock = clocks.start(600_000, 12_000).spend("white", 15_500)
    assert (clock.white, clock.black) == (596_500, 600_000)


def test_the_delay_is_fresh_for_each_turn_and_one_for_a_whole_turn() -> None:
    clock = clocks.start(60_000, 12_000).spend("white", 10_000).spend("white", 10_000)
    assert clock.white == 52_000
    clock = clock.spend("black", 10_000).spend("white", 10_000)
    assert (clock.white, clock.black) == (52_000, 60_000)


def test_reaching_exactly_zero_is_a_flag() -> None:
    assert clocks.start(60_000, 12_000).spend("black", 71_999).flag is None
    assert clocks.start(60_000, 12_000).spend("black", 72_000).flag == "black"


def test_nobody_pays_while_both_clocks_stand() -> None:
    clock = clocks.start(60_000, 12_000).turn("white").turn(None)
    assert (clock.running, clock.left) == (None, None)


def test_an_act_within_the_same_turn_keeps_what_is_left_of_the_delay() -> None:
    clock = clocks.start(60_000, 12_000).turn("white").spend("white", 5_000).turn("white", fresh=False)
    assert (clock.delay_left, clock.left) == (7_000, 67_000)
    assert clock.turn("white", fresh=True).delay_left == 12_000


def test_a_snapshot_restores_the_clock() -> None:
    clock = clocks.start(60_000, 12_000).turn("black").spend("black", 20_000)
    assert clocks.restore(clock.snapshot()) == clock


@pytest.mark.parametrize(
    ("key", "length", "reserve", "delay"), [("club", 5, 600_000, 12_000), ("blitz", 3, 180_000, 8_000)]
)
def test_presets_give_their_reserve_a_point(key: str, length: int, reserve: int, delay: int) -> None:
    clock = clocks.PRESETS[key].clock(length)
    assert clock is not None
    assert (clock.white, clock.black, clock.delay) == (reserve, reserve, delay)


def test_a_match_may_have_no_clock() -> None:
    assert clocks.PRESETS["none"].clock(5) is None
