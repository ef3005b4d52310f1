"""When two positions count as the same question. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.bots.engine_boards import Board, after, board_of
from games.engine import SIDES, Position, Side, opponent

Key = tuple[object, ...]


def key_of(position: Position, score_view: Mapping[str, Any]) -> Key | None:
    """Board, dice, what both still need, and the cube, as the deciding player sees them; equal from either side.

    None where nobody has anything to decide: before the opening roll, and when the game is over.
    """
    view = position.view(None)
    side = side_to_decide(position)
    if side is None:
        return None
    length = score_view["length"]
    away = tuple(length - score_view[each] if length else None for each in (side, opponent(side)))
    cube = view["cube"]
    owner = None if cube is None or cube["owner"] is None else cube["owner"] == side
    stake = None if cube is None else (cube["value"], owner, bool(cube["offered"]))
    dice = tuple(sorted(view["dice"] or ()))
    return (tuple(board_of(view, side)), dice, away, bool(score_view.get("crawford")), stake)


def boards_of(position: Position) -> frozenset[tuple[int, ...]]:
    """The boards with which players could ask about their own game: the present one, and those that their dice lead to.

    From both sides, because the same board can be asked about with the colours exchanged.
    """
    view = position.view(None)
    found: list[Board] = [board_of(view, side) for side in SIDES]
    side = side_to_decide(position)
    if side is not None and view["dice"]:
        own_board = board_of(view, side)
        reached = [after(own_board, play) for play in position.actions()]
        found += [*reached, *(swap_players(board) for board in reached)]
    return frozenset(tuple(board) for board in found)


def swap_players(board: Board) -> Board:
    """The same board from the other side."""
    return [board[25], *(-board[25 - n] for n in range(1, 25)), board[0]]


def side_to_decide(position: Position) -> Side | None:
    """Who decides, or is about to roll."""
    if position.turn in SIDES:
        return position.turn
    return position.rollers[0] if len(position.rollers) == 1 else None
