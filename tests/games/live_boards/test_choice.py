"""Which boards are shown, how long they stay, and how often they send frames. No database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games import live_boards
from games.live_boards import MatchInterest
from tests.games.live_boards.seats import ids

# Which is the best


def test_kinds_come_before_everything_else() -> None:
    best = MatchInterest("table", humans=2)
    asleep = replace(best, match_id="asleep", idle=61.0, ratings=(1900.0, 1900.0))
    correspondence = replace(best, match_id="letters", live=False, ratings=(2000.0, 2000.0))
    mixed = replace(best, match_id="mixed", humans=1, ratings=(2000.0, 2000.0))
    bots = replace(best, match_id="bots", humans=0, ratings=(2000.0, 2000.0))
    assert ids(live_boards.ranked([bots, correspondence, mixed, asleep, best])) == [
        "table",
        "mixed",
        "bots",
        "asleep",
        "letters",
    ]


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
    usual = MatchInterest("a", ratings=(1500.0, 1500.0))
    assert ids(live_boards.ranked([usual, replace(usual, match_id="b", **better)])) == ["b", "a"]


def test_each_factor_is_capped() -> None:
    far = live_boards.rank(MatchInterest("far", ratings=(9000.0,), length=500, points=999.0, spectators=999))
    near = live_boards.rank(MatchInterest("near", ratings=(2000.0,), length=25, points=49.0, spectators=8))
    assert far == near


def test_a_session_counts_as_a_short_match_and_ties_are_ordered() -> None:
    assert live_boards.rank(MatchInterest("session", length=0)) == live_boards.rank(MatchInterest("three", length=3))
    assert ids(live_boards.ranked([MatchInterest("b"), MatchInterest("a")])) == ["a", "b"]
    assert ids(live_boards.ranked([MatchInterest("a"), MatchInterest("b")], spectators={"b": 2})) == ["b", "a"]


# TV


SHOWN, OTHER = MatchInterest("shown"), MatchInterest("other", ratings=(2000.0,), length=11)


def test_tv_stays_with_a_match_that_continues() -> None:
    channel = live_boards.next_channel(None, [SHOWN], moment=0.0)
    assert channel == live_boards.Channel("shown", 0.0)
    assert live_boards.next_channel(channel, [OTHER, SHOWN], moment=59.0) == channel
    assert live_boards.next_channel(channel, [OTHER, SHOWN], moment=60.0) == live_boards.Channel("other", 60.0)


def test_a_slightly_better_match_does_not_replace_it() -> None:
    channel = live_boards.Channel("shown", 0.0)
    assert live_boards.next_channel(channel, [MatchInterest("other", spectators=4), SHOWN], moment=500.0) == channel
    assert live_boards.next_channel(
        channel, [MatchInterest("other", spectators=5), SHOWN], moment=500.0
    ) == live_boards.Channel("other", 500.0)


def test_an_idle_match_is_left_at_once() -> None:
    channel = live_boards.Channel("shown", 0.0)
    assert live_boards.next_channel(channel, [OTHER, replace(SHOWN, idle=61.0)], moment=5.0) == live_boards.Channel(
        "other", 5.0
    )
    assert live_boards.next_channel(channel, [replace(SHOWN, idle=61.0)], moment=5.0) == channel


def test_a_result_is_shown_for_some_seconds_and_longer_without_a_successor() -> None:
    channel = live_boards.Channel("shown", 0.0)
    ended = {"shown": 100.0}
    assert live_boards.next_channel(channel, [OTHER], moment=107.9, ended=ended) == channel
    assert live_boards.next_channel(channel, [OTHER], moment=108.0, ended=ended) == live_boards.Channel("other", 108.0)
    assert live_boards.next_channel(channel, [], moment=500.0, ended=ended) == channel
    assert live_boards.next_channel(channel, [], moment=500.0) is None  # adjourned, or out of sight


# Places


def test_shown_boards_keep_their_place_and_gaps_are_filled_by_the_best() -> None:
    assert live_boards.board_places([], ["a", "b", "c"], most=2) == ["a", "b"]
    assert live_boards.board_places(["b", "x", "a"], ["new", "a", "b"], most=3) == ["b", "new", "a"]
    assert live_boards.board_places(["a", "over"], ["new", "a"], ended={"over"}, most=2) == ["a", "over"]
    assert live_boards.board_places(["a", "b"], ["b"], most=3) == ["b"]


def test_a_board_goes_when_many_others_are_better() -> None:
    better = [f"m{n:02}" for n in range(live_boards.MAX_BOARDS + live_boards.RANK_SLACK)]
    assert "mine" in live_boards.board_places(["mine"], [*better[:-1], "mine"])
    assert "mine" not in live_boards.board_places(["mine"], [*better, "mine"])
    assert len(live_boards.board_places(["mine"], better)) == live_boards.MAX_BOARDS


# Pace


def test_at_most_two_frames_a_second_are_sent_and_the_last_one_wins() -> None:
    pace: live_boards.FrameThrottle[str] = live_boards.FrameThrottle()
    pace.offer("a", "a1")
    assert pace.due(10.0) == ["a1"]
    for version in ("a2", "a3"):
        pace.offer("a", version)
    pace.offer("b", "b1")
    assert pace.due(10.1) == ["b1"]  # each board for itself
    assert pace.wait(10.1) == pytest.approx(0.4)
    assert pace.due(10.49) == []
    assert pace.due(10.5) == ["a3"]
    assert pace.wait(10.5) is None


def test_a_thousand_events_in_ten_seconds_are_twenty_frames() -> None:
    pace: live_boards.FrameThrottle[int] = live_boards.FrameThrottle()
    sent = []
    for tick in range(1000):
        pace.offer("a", tick)
        sent += pace.due(tick / 100)
    assert len(sent) == 20
    pace.offer("a", 1000)
    pace.forget("a")
    assert pace.due(99.0) == []


# Reading
