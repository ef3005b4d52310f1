"""Boards of engines: read off a view, and moved by the text of a play."""

from __future__ import annotations

import pytest

from games.bots.engine_boards import after, board_of
from tests.games.bots.engine_positions import START, Table, board


def test_both_sides_read_their_own_board() -> None:
    places = board({24: 2, 13: 4, 6: 3}, {2: 2, 8: 1}, bar=1, opponent_bar=2)
    view = Table(places).view(None)
    assert board_of(view, "white") == places
    assert board_of(view, "black") == board({2: 2, 8: 1}, {24: 2, 13: 4, 6: 3}, bar=2, opponent_bar=1)
    assert board_of(Table(START).view(None), "black") == START


@pytest.mark.parametrize(
    ("before", "play", "result"),
    [
        (board({8: 3, 6: 5}, {}), "8/5 6/5", board({8: 2, 5: 2, 6: 4}, {})),
        (board({8: 1}, {20: 1}), "8/5*", board({5: 1}, {}, opponent_bar=1)),
        (board({8: 1}, {20: 1}), "8/5", board({5: 1}, {}, opponent_bar=1)),
        (board({}, {}, bar=1), "bar/20", board({20: 1}, {})),
        (board({6: 3}, {}), "6/off(2)", board({6: 1}, {})),
        (board({6: 4}, {}), "6/3(4)", board({3: 4}, {})),
        (board({24: 2}, {7: 1, 12: 1}), "24/18*/13* 24/18", board({13: 1, 18: 1}, {}, opponent_bar=2)),
        (board({13: 2}, {17: 1}), "13/8*(2)", board({8: 2}, {}, opponent_bar=1)),
        (board({6: 1}, {}), "pass", board({6: 1}, {})),
    ],
)
def test_a_play_moves_the_checkers(before: list[int], play: str, result: list[int]) -> None:
    unchanged = list(before)
    assert after(before, play) == result
    assert before == unchanged


def test_an_illegal_play_is_refused() -> None:
    with pytest.raises(ValueError, match="not a play"):
        after(START, "8/5(9)")
    with pytest.raises(ValueError):
        after(START, "double")
