"""The board in plain text, for logs, tests and players who read it aloud."""

from __future__ import annotations

from .board import Board
from .moment import Shown
from .sides import Side, rival

HEIGHT = 5
"""Men drawn on one point; a larger number of them is written on the fifth."""


def draw(shown: Shown, side: Side) -> str:
    """The board as one side sees it: his men are X and move from 24 down to 1, his rival's are O."""
    board = shown.board if shown.mover == side else shown.board.flipped()
    top = _rows(board, range(13, 25), bar=-board.rival_bar)
    bottom = _rows(board, range(12, 0, -1), bar=board.bar)[::-1]
    mine, his = board.pips
    lines = [
        f"  O {rival(side)}: {his} pips, {board.rival_off} off" + _not_entered(board.rival_stock),
        "+13-14-15-16-17-18-+BAR+-19-20-21-22-23-24-+",
        *top,
        "|                  |   |                   |",
        *bottom,
        "+12-11-10--9--8--7-+BAR+--6--5--4--3--2--1-+",
        f"  X {side}: {mine} pips, {board.off} off" + _not_entered(board.stock),
        "  " + _state(shown),
    ]
    return "\n".join(lines)


def _not_entered(stock: int) -> str:
    return f", {stock} not entered" if stock else ""


def _state(shown: Shown) -> str:
    """Whose turn it is, with dice, cube and score, in one line."""
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
    """One point from the edge inwards: X for each man of mine, O for each of my rival's."""
    letter, men = ("X", count) if count > 0 else ("O", -count)
    if men > HEIGHT:
        return letter * (HEIGHT - 1) + f"{men:x}"
    return (letter * men).ljust(HEIGHT)
