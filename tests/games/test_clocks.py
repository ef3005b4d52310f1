"""Ruling "Match clock": a delay per turn and a reserve per match, stepped by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games import clocks


def test_a_turn_within_the_delay_costs_nothing() -> None:
    clock = clocks.start(600_000, 12_000).spend("white", 12_000)
    assert (clock.white, clock.black, clock.flag) == (600_000, 600_000, None)


def test_time_beyond_the_delay_comes_off_the_reserve() -> None:
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


def test_a_turn_of_the_same_side_begins_with_a_fresh_delay() -> None:
    clock = clocks.start(60_000, 12_000).turn("white").spend("white", 5_000)
    assert clock.turn("white").delay_left == 12_000


def test_each_side_has_its_own_reserve_and_overtime() -> None:
    clock = clocks.Clock(white=1_000, black=2_000, delay=0, white_overtime=30, black_overtime=40)
    assert [clock.reserve(side) for side in clocks.SIDES] == [1_000, 2_000]
    assert [clock.turn(side).left for side in clocks.SIDES] == [1_030, 2_040]
    assert (clock.delay_left, clock.left) == (0, None)
    white, black = (clock.spend(side, 1_010) for side in clocks.SIDES)
    assert (white.white, white.white_overtime, white.black, white.black_overtime) == (0, 20, 2_000, 40)
    assert (black.white, black.white_overtime, black.black, black.black_overtime) == (1_000, 30, 990, 40)


def test_the_rest_of_a_delay_is_gone_when_the_turn_is_over() -> None:
    clock = clocks.start(60_000, 12_000).turn("white")
    assert clock.delay_left == 12_000
    assert clock.turn(None) == clocks.start(60_000, 12_000)


def test_no_time_is_used_while_both_clocks_are_stopped() -> None:
    clock = clocks.start(60_000, 12_000).turn("white").turn(None)
    assert (clock.running, clock.left) == (None, None)


def test_an_act_within_the_same_turn_keeps_what_is_left_of_the_delay() -> None:
    clock = clocks.start(60_000, 12_000).turn("white").spend("white", 5_000).turn("white", fresh=False)
    assert (clock.delay_left, clock.left) == (7_000, 67_000)
    assert clock.turn("white", fresh=True).delay_left == 12_000


def test_a_snapshot_restores_the_clock() -> None:
    clock = clocks.start(60_000, 12_000).turn("black").spend("black", 20_000)
    assert clocks.restore(clock.snapshot()) == clock


# docs/rulings.md, "Match clock": minutes of reserve and seconds of delay, bonus and overtime, in a match to 7.
@pytest.mark.parametrize(
    ("key", "minutes", "delay", "bonus", "overtime"),
    [
        ("club", 14, 12, 0, 0),
        ("blitz", 7, 8, 0, 0),
        ("slow", 21, 20, 0, 0),
        ("overtime", 14, 12, 0, 60),
        ("game5", 5, 12, 0, 0),
        ("min5", 5, 0, 0, 0),
        ("min10", 10, 0, 0, 0),
        ("min15", 15, 0, 0, 0),
        ("fischer5", 5, 0, 5, 0),
        ("fischer10", 10, 0, 10, 0),
        ("days1", 0, 86_400, 0, 0),
        ("days3", 0, 3 * 86_400, 0, 0),
        ("days7", 0, 7 * 86_400, 0, 0),
    ],
)
def test_every_clock_gives_the_time_of_its_ruling(
    key: str, minutes: int, delay: int, bonus: int, overtime: int
) -> None:
    assert clocks.PRESETS[key].clock(7) == clocks.start(
        minutes * 60_000, delay * 1000, bonus_ms=bonus * 1000, overtime_ms=overtime * 1000
    )


def test_both_sides_start_with_the_same_time_and_nobody_s_runs() -> None:
    assert clocks.start(1, 2, bonus_ms=3, overtime_ms=4) == clocks.Clock(
        white=1, black=1, delay=2, running=None, bonus=3, white_overtime=4, black_overtime=4
    )


def test_a_match_may_have_no_clock() -> None:
    assert clocks.PRESETS["none"].clock(5) is None
    assert (clocks.PRESETS["none"].reserve, clocks.PRESETS["none"].delay) == (0, 0)


def test_a_bonus_is_paid_when_the_turn_goes_to_the_other_side() -> None:
    clock = clocks.start(300_000, 0, bonus_ms=5_000).turn("white").spend("white", 8_000)
    assert clock.white == 292_000
    assert clock.turn("white", fresh=False).white == 292_000
    assert (clock.turn("black").white, clock.turn("black").black) == (297_000, 300_000)


def test_no_bonus_is_paid_where_no_turn_ends() -> None:
    clock = clocks.start(300_000, 2_000, bonus_ms=5_000)
    assert clock.turn("white") == replace(clock, running="white", delay_left=2_000)
    assert clock.turn("black") == replace(clock, running="black", delay_left=2_000)
    assert clock.turn("black").turn("black") == clock.turn("black")


def test_overtime_is_used_after_the_reserve_and_only_once() -> None:
    clock = clocks.start(10_000, 2_000, overtime_ms=60_000).turn("black")
    assert clock.left == 72_000
    clock = clock.spend("black", 42_000)
    assert (clock.black, clock.overtime("black"), clock.flag) == (0, 30_000, None)
    clock = clock.turn("white").turn("black")
    assert clock.spend("black", 31_999).flag is None
    assert clock.spend("black", 32_000).flag == "black"
    clock = clock.spend("black", 31_000).turn("white")
    assert (clock.black_overtime, clock.spend("white", 32_000).white_overtime) == (1_000, 40_000)


def test_a_pause_keeps_the_running_side_and_the_rest_of_its_delay() -> None:
    clock = clocks.start(60_000, 12_000).turn("white").spend("white", 5_000)
    paused = clocks.restore(clock.pause().snapshot())
    assert (paused.running, paused.left) == (None, None)
    assert paused.resume() == clock


def test_the_next_game_begins_with_a_full_clock_except_per_match_reserves() -> None:
    full = clocks.start(10_000, 0, overtime_ms=60_000)
    clock = full.turn("white").spend("white", 30_000)
    assert clock.next_game(full) == replace(full, white_overtime=40_000)
    clock = full.turn("black").spend("black", 30_000, rtt_ms=2_000)
    assert clock.next_game(full) == replace(full, black_overtime=42_000, quota=clock.quota)
    assert clock.quota != full.quota


def test_in_correspondence_play_a_turn_has_only_its_days() -> None:
    clock = clocks.PRESETS["days3"].clock(7)
    assert clock is not None
    clock = clock.turn("white").spend("white", 2 * clocks.DAY)
    assert (clock.left, clock.turn("black").turn("white").left) == (clocks.DAY, 3 * clocks.DAY)
    assert clock.spend("white", clocks.DAY).flag == "white"


@pytest.mark.parametrize(
    ("kind", "own"),
    [
        ("match", ["club", "blitz", "slow", "overtime"]),
        ("game", ["game5"]),
        ("sudden", ["min10", "min5", "min15", "fischer5", "fischer10"]),
    ],
)
def test_correspondence_and_no_clock_fit_every_game_but_are_not_the_default(kind: str, own: list[str]) -> None:
    assert [preset.key for preset in clocks.fitting(kind)] == [*own, "days1", "days3", "days7", "none"]


def test_a_clock_of_each_game_is_told_from_one_of_the_match_and_one_of_days() -> None:
    each_game = [key for key, preset in clocks.PRESETS.items() if preset.each_game]
    assert each_game == ["game5", "min10", "min5", "min15", "fischer5", "fischer10"]
    assert [key for key, preset in clocks.PRESETS.items() if preset.slow] == ["days1", "days3", "days7"]


def test_matches_by_correspondence_have_a_pace_of_their_own_and_unknown_clocks_are_live() -> None:
    keys = ["days1", "days3", "days7", "club", "none", "from a file"]
    assert [clocks.pace_of(key) for key in keys] == [*["correspondence"] * 3, "live", "live", "live"]


def test_the_public_view_shows_a_bonus_and_overtimes_if_there_are_any() -> None:
    clock = clocks.start(60_000, 0, bonus_ms=5_000, overtime_ms=10_000).turn("black").spend("black", 64_000)
    usual = {"white": 60_000, "black": 0, "delay": 0, "delay_left": 0, "running": "black"}
    assert clock.view() == usual | {"bonus": 5_000, "overtime": {"white": 10_000, "black": 6_000}}
    assert replace(clock, bonus=0, black_overtime=0).view() == usual | {"overtime": {"white": 10_000, "black": 0}}
    assert clocks.restore(clock.snapshot()) == clock


def test_lag_of_the_side_on_the_clock_is_given_back_from_its_own_quota() -> None:
    clock = clocks.start(60_000, 0).turn("black").spend("black", 3_000, rtt_ms=2_000)
    assert (clock.black, clock.quota.white, clock.quota.black) == (59_000, 2_500, 1_000)
    assert clock.snapshot()["quota"] == {"white": 2_500, "black": 1_000}
    assert clocks.restore(clock.snapshot()) == clock
    clock = clock.turn("white").spend("white", 3_000, rtt_ms=2_000)
    assert (clock.white, clock.quota.white, clock.quota.black) == (59_000, 1_000, 1_000)


def test_time_never_runs_backwards() -> None:
    clock = clocks.start(60_000, 12_000).turn("white")
    assert clock.spend("white", -5_000) == clock


def test_the_public_view_has_no_quota_and_no_stopped_side() -> None:
    clock = clocks.start(60_000, 0).turn("white").spend("white", 3_000, rtt_ms=900).pause()
    assert clock.white == 57_900
    assert clock.view() == {"white": 57_900, "black": 60_000, "delay": 0, "delay_left": 0, "running": None}
    assert clocks.restore(clock.snapshot()) == clock
