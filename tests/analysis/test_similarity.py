"""Two positions are similar for fair play when they pose the same problem, from either side."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.puzzles import swap_sides
from analysis.similarity import boards_of, key_of, swap_players
from games.bots.engine_boards import board_of
from games.formats import position_ids as ids

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:6"


def key(xgid: str) -> Any:
    found: Any = ids.read(xgid)
    return key_of(found, found.score.view())


def test_colours_and_the_order_of_dice_do_not_matter() -> None:
    assert key(OPENING) == key(swap_sides(OPENING)) == key(OPENING.replace(":31:", ":13:"))


@pytest.mark.parametrize(
    "other",
    [
        OPENING.replace(":31:", ":32:"),
        OPENING.replace(":31:", ":00:"),
        OPENING.replace(":31:0:0:0:5", ":31:1:0:0:5"),
        OPENING.replace(":0:0:1:31", ":1:1:1:31"),
        OPENING.replace("E-C", "D-D"),
    ],
)
def test_board_dice_score_and_cube_do(other: str) -> None:
    assert key(other) != key(OPENING)


def test_the_same_points_to_go_are_the_same_score() -> None:
    assert key(OPENING) == key(OPENING.replace(":0:0:0:5:6", ":2:2:0:7:6"))


def test_similarity_covers_positions_one_play_ahead_for_both_sides() -> None:
    position = ids.read(OPENING)
    boards = boards_of(position)
    after = ids.read(OPENING).after("8/5 6/5")
    for side in ("white", "black"):
        assert tuple(board_of(position.view(None), side)) in boards  # type: ignore[arg-type]
        assert tuple(board_of(after.view(None), side)) in boards  # type: ignore[arg-type]
    assert tuple(swap_players(board_of(position.view(None), "white"))) in boards
    elsewhere = ids.read(OPENING.replace("E-C", "D-D"))
    assert tuple(board_of(elsewhere.view(None), "white")) not in boards
