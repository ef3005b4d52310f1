"""The board drawn in plain text, for logs, tests and screen readers."""

from __future__ import annotations

from backgammon.rules.position_fields import PositionLike

from .board import Board
from .sides import Side, opponent

HEIGHT = 5
"""Checkers drawn on one point; a larger count is written as a number in the last row."""


def draw(shown: PositionLike, side: Side) -> str:
    """Draw the board as one side sees it: its checkers are X and move from 24 down to 1, the opponent's are O."""
    board = shown.board if shown.mover == side else shown.board.flipped()
    top = _rows(board, range(13, 25), bar=-board.opponent_bar)
    bottom = _rows(board, range(12, 0, -1), bar=board.bar)[::-1]
    own_pips, opposing_pips = board.pips
    lines = [
        f"  O {opponent(side)}: {opposing_pips} pips, {board.opponent_off} off" + _not_entered(board.opponent_stock),
        "+13-14-15-16-17-18-+BAR+-19-20-21-22-23-24-+",
        *top,
        "|                  |   |                   |",
        *bottom,
        "+12-11-10--9--8--7-+BAR+--6--5--4--3--2--1-+",
        f"  X {side}: {own_pips} pips, {board.off} off" + _not_entered(board.stock),
        "  " + _state(shown),
    ]
    return "\n".join(lines)


def _not_entered(stock: int) -> str:
    return f", {stock} not entered" if stock else ""


def _state(shown: PositionLike) -> str:
    """One line with the turn, dice, cube and score."""
    cube, score = shown.cube, shown.score
    parts = [f"{shown.mover}: {shown.phase}" + (" {}{}".format(*shown.dice) if shown.dice else "")]
    if cube.in_play:
        parts.append(f"cube {cube.value}" + (f" ({cube.owner})" if cube.owner else ""))
    length = f"to {score.length}" if score.length else "money"
    parts.append(f"white {score.white}, black {score.black}, {length}" + (", Crawford" if score.crawford else ""))
    return "; ".join(parts)


def _rows(board: Board, points: range, *, bar: int) -> list[str]:
    """The five rows of one half of the board, the one at the edge first."""
    columns = [_column(board.points[point - 1]) for point in points]
    middle = _column(bar)
    return [
        "|"
        + "".join(f" {column[row]} " for column in columns[:6])
        + f"| {middle[row]} |"
        + " "
        + "".join(f" {column[row]} " for column in columns[6:])
        + "|"
        for row in range(HEIGHT)
    ]


def _column(count: int) -> str:
    """One point from the edge inwards: X for each of the viewer's checkers, O for each of the opponent's."""
    letter, checkers = ("X", count) if count > 0 else ("O", -count)
    if checkers > HEIGHT:
        return letter * (HEIGHT - 1) + f"{checkers:x}"
    return (letter * checkers).ljust(HEIGHT)
