"""The daily puzzle follows from its date, and votes are counted."""

from __future__ import annotations

from datetime import date

from analysis.daily_puzzle import VoteShare, is_interesting, pick_puzzle, vote_shares

MONDAY = date(2026, 11, 23)


def test_a_day_has_the_same_position_whatever_the_order() -> None:
    assert pick_puzzle(MONDAY, [1, 2, 3, 4, 5]) == pick_puzzle(MONDAY, [5, 4, 3, 2, 1]) == 5
    assert pick_puzzle(MONDAY, []) is None


def test_days_pick_different_positions() -> None:
    week = [pick_puzzle(date(2026, 11, day), range(1, 100)) for day in range(23, 30)]
    assert len(set(week)) == 7


def test_errors_and_close_decisions_are_worth_a_vote() -> None:
    assert is_interesting(loss=0.05, gap=0.3, choices=6)
    assert is_interesting(loss=0.0, gap=0.01, choices=6)
    assert not is_interesting(loss=0.0, gap=0.2, choices=6)
    assert not is_interesting(loss=0.03, gap=0.01, choices=6)
    assert not is_interesting(loss=0.5, gap=0.0, choices=1)


def test_vote_shares_begin_with_the_most_chosen() -> None:
    assert vote_shares(["8/5 6/5", "13/9", "8/5 6/5", "24/20"]) == [
        VoteShare("8/5 6/5", 2, 0.5),
        VoteShare("13/9", 1, 0.25),
        VoteShare("24/20", 1, 0.25),
    ]
    assert vote_shares([]) == []
