"""The parts of a position's view, in the shape of docs/protocol.md, built from boards, cubes and trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .board import Board
from .cube import Cube
from .match import Score
from .plays import plays_of
from .sides import SIDES, Side
from .tree import Node

DOUBLES = range(1, 7)
"""The doubles that may be named (A4)."""


def boards_view(boards: Mapping[Side, Board]) -> dict[Side, Any]:
    """The checkers of both sides, each from the board seen from that side."""
    return {side: _half_view(board) for side, board in boards.items()}


def _half_view(board: Board) -> dict[str, Any]:
    """One player's checkers in that player's own numbering."""
    stock, bar, off, *points = board.wire[:27]
    return {"points": [count if count > 0 else 0 for count in points], "bar": bar, "off": off, "stock": stock}


def pips_view(board: Board) -> dict[Side, int]:
    """The pip counts of both sides, from the board seen from White."""
    return dict(zip(SIDES, board.pips, strict=True))


def cube_view(cube: Cube, score: Score, *, doubled: bool) -> dict[str, Any] | None:
    """The cube, with the value on offer while a double waits for its answer; None in a game without a cube."""
    if not cube.in_play:
        return None
    offered = cube.offered if doubled else None
    return {"value": cube.value, "owner": cube.owner, "offered": offered, "dead": cube.dead(score)}


def names_view(board: Board) -> list[int]:
    """How many of the four numbers of each double could be played, while the mover names one (A4)."""
    return [plays_of(board.code, (die, die)).numbers for die in DOUBLES]


def tree_view(tree: Sequence[Node]) -> list[list[list[int]]]:
    """The nodes of the tree of half-moves, each branch as ``[from, to, die, hit, next node]``."""
    return [
        [[source, target, die, int(hit), following] for (source, target, die, hit), following, _code in node]
        for node in tree
    ]
