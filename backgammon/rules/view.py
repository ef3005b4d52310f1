"""What a board draws of a position: the shape of docs/protocol.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .board import Board
from .plays import plays_of
from .sides import SIDES, Side

if TYPE_CHECKING:
    from .position import Position

DOUBLES = range(1, 7)
"""The doubles that may be named (A4)."""


def view(position: Position, side: Side | None) -> dict[str, Any]:
    """What one side, or a spectator, sees; the tree of half-moves only for the side that is to move."""
    boards = {each: position.board_of(each) for each in SIDES}
    plays = position.plays if side == position.turn else None
    return {
        "family": "points",
        "phase": position.phase,
        "turn": position.turn,
        "board": {each: _half(board) for each, board in boards.items()},
        "pips": dict(zip(SIDES, boards[SIDES[0]].pips, strict=True)),
        "dice": list(position.dice) if position.dice else None,
        "cube": _cube(position),
        "names": _names(position),
        "outcome": position.outcome.view() if position.outcome else None,
        "tree": plays and [[[*half[:3], int(half.hit), after] for half, after, _ in node] for node in plays.tree],
    }


def _half(board: Board) -> dict[str, Any]:
    """One player's men in his own numbering."""
    stock, bar, off, *points = board.wire[:27]
    return {"points": [count if count > 0 else 0 for count in points], "bar": bar, "off": off, "stock": stock}


def _cube(position: Position) -> dict[str, Any] | None:
    cube = position.cube
    if not cube.in_play:
        return None
    offered = cube.offered if position.phase == "doubled" else None
    return {"value": cube.value, "owner": cube.owner, "offered": offered, "dead": cube.dead(position.score)}


def _names(position: Position) -> list[int] | None:
    """While a double is to be named: how many of the four numbers of each can be played (A4)."""
    if position.phase != "name":
        return None
    return [plays_of(position.board.code, (die, die)).numbers for die in DOUBLES]
