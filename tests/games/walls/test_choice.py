"""What is worth showing, how long it stays, and how often a board speaks. No database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games import wall
from games.wall import Facts
from tests.games.walls.seats import ids

# Which is the best


def test_kinds_come_before_everything_else() -> None:
    best = Facts("table", humans=2)
    asleep = replace(best, match_id="asleep", idle=61.0, ratings=(1900.0, 1900.0))
    letters = replace(best, match_id="letters", live=False, ratings=(2000.0, 2000.0))
    mixed = replace(best, match_id="mixed", humans=1, ratings=(2000.0, 2000.0))
    bots = replace(best, match_id="bots", humans=0, ratings=(2000.0, 2000.0))
    assert ids(wall.ranked([bots, letters, mixed, asleep, best])) == ["table", "mixed", "bots", "asleep", "letters"]


@pytest.mark.parametrize(
    "better",
    [
        {"ratings": (1600.0, 1500.0)},
        {"length": 7},
        {"points": 4.0},
        {"spectators": 1},
    ],
)
def test_among_equals_ratings_length_progress_and_spectators_count(better: dict[str, Any]) -> None:
    usual = Facts("a", ratings=(1500.0, 1500.0))
    assert ids(wall.ranked([usual, replace(usual, match_id="b", **better)])) == ["b", "a"]


def test_no_single_thing_counts_without_end() -> None:
    far = wall.rank(Facts("far", ratings=(9000.0,), length=500, points=999.0, spectators=999))
    near = wall.rank(Facts("near", ratings=(2000.0,), length=25, points=49.0, spectators=8))
    assert far == near


def test_a_session_counts_as_a_short_match_and_the_order_of_equals_is_settled() -> None:
    assert wall.rank(Facts("session", length=0)) == wall.rank(Facts("three", length=3))
    assert ids(wall.ranked([Facts("b"), Facts("a")])) == ["a", "b"]
    assert ids(wall.ranked([Facts("a"), Facts("b")], watched={"b": 2})) == ["b", "a"]


# Television


SHOWN, OTHER = Facts("shown"), Facts("other", ratings=(2000.0,), length=11)


def test_television_stays_with_a_match_that_goes_on() -> None:
    channel = wall.follow(None, [SHOWN], moment=0.0)
    assert channel == wall.Channel("shown", 0.0)
    assert wall.follow(channel, [OTHER, SHOWN], moment=59.0) == channel
    assert wall.follow(channel, [OTHER, SHOWN], moment=60.0) == wall.Channel("other", 60.0)


def test_a_little_better_is_no_reason_to_leave() -> None:
    channel = wall.Channel("shown", 0.0)
    assert wall.follow(channel, [Facts("other", spectators=4), SHOWN], moment=500.0) == channel
    assert wall.follow(channel, [Facts("other", spectators=5), SHOWN], moment=500.0) == wall.Channel("other", 500.0)


def test_a_match_that_stands_still_is_left_at_once() -> None:
    channel = wall.Channel("shown", 0.0)
    assert wall.follow(channel, [OTHER, replace(SHOWN, idle=61.0)], moment=5.0) == wall.Channel("other", 5.0)
    assert wall.follow(channel, [replace(SHOWN, idle=61.0)], moment=5.0) == channel


def test_a_result_is_shown_for_some_seconds_and_for_longer_where_nothing_follows() -> None:
    channel = wall.Channel("shown", 0.0)
    ended = {"shown": 100.0}
    assert wall.follow(channel, [OTHER], moment=107.9, ended=ended) == channel
    assert wall.follow(channel, [OTHER], moment=108.0, ended=ended) == wall.Channel("other", 108.0)
    assert wall.follow(channel, [], moment=500.0, ended=ended) == channel
    assert wall.follow(channel, [], moment=500.0) is None  # adjourned, or out of sight


# Places


def test_who_is_shown_keeps_his_place_and_gaps_are_filled_by_the_best() -> None:
    assert wall.places([], ["a", "b", "c"], most=2) == ["a", "b"]
    assert wall.places(["b", "x", "a"], ["new", "a", "b"], most=3) == ["b", "new", "a"]
    assert wall.places(["a", "over"], ["new", "a"], kept={"over"}, most=2) == ["a", "over"]
    assert wall.places(["a", "b"], ["b"], most=3) == ["b"]


def test_a_board_goes_when_many_others_are_better() -> None:
    better = [f"m{n:02}" for n in range(wall.MOST + wall.SLACK)]
    assert "mine" in wall.places(["mine"], [*better[:-1], "mine"])
    assert "mine" not in wall.places(["mine"], [*better, "mine"])
    assert len(wall.places(["mine"], better)) == wall.MOST


# Pace


def test_two_frames_a_second_at_the_most_and_the_last_one_wins() -> None:
    pace: wall.Pace[str] = wall.Pace()
    pace.offer("a", "a1")
    assert pace.due(10.0) == ["a1"]
    for said in ("a2", "a3"):
        pace.offer("a", said)
    pace.offer("b", "b1")
    assert pace.due(10.1) == ["b1"]  # each board for itself
    assert pace.wait(10.1) == pytest.approx(0.4)
    assert pace.due(10.49) == []
    assert pace.due(10.5) == ["a3"]
    assert pace.wait(10.5) is None


def test_a_thousand_words_in_ten_seconds_are_twenty_frames() -> None:
    pace: wall.Pace[int] = wall.Pace()
    heard = []
    for tick in range(1000):
        pace.offer("a", tick)
        heard += pace.due(tick / 100)
    assert len(heard) == 20
    pace.offer("a", 1000)
    pace.forget("a")
    assert pace.due(99.0) == []


# Reading
