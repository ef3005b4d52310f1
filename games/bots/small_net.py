"""Two small nets in pure Python: how likely each kind of result is on a board of 24 points.

For machines on which neither bgsage nor GNU Backgammon runs. `tools/train_evaluation.py` made their weights
(`small_net.json`) from the judgement of bgsage; docs/bots.md says how strong they are. One net judges positions in
which the sides still meet, the other one races.

The inputs of a net say how many checkers are on each place. All inputs of a place together have a few possible values,
so the first layer is a sum of one prepared row for each place that holds checkers: a board takes about 0.1 ms.
"""

from __future__ import annotations

import array
import base64
import json
import math
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from games.bots.engine_boards import Board

PLACES = 52
"""The own points, the opponent's points, both bars, and what both have borne off."""
SLOTS = 6
"""The inputs of a place: exactly 1, 2, 3 or 4 checkers; 5 or more; and how many more."""
CHECKERS = 15
WEIGHTS = Path(__file__).with_name("small_net.json")
VERSION = 1
"""Of the weights: an analysis names it, so raise it when they change."""

Row = list[float]


def counts_of(board: Board) -> list[int]:
    """The checkers on each place of a board (`games.bots.engine_boards`), seen from the side that has just moved."""
    points = board[1:25]
    own = [max(each, 0) for each in points]
    other = [max(-each, 0) for each in points]
    bars = [board[25], board[0]]
    return [*own, *other, *bars, CHECKERS - sum(own) - board[25], CHECKERS - sum(other) - board[0]]


def is_race(board: Board) -> bool:
    """Whether the sides have passed each other, so that nobody can be hit or blocked any more."""
    if board[0] or board[25]:
        return False
    own = max((n for n in range(1, 25) if board[n] > 0), default=0)
    other = min((n for n in range(1, 25) if board[n] < 0), default=25)
    return own < other


@dataclass(frozen=True, slots=True)
class Net:
    """One net: `rows[place][count]` is what so many checkers on a place add to the hidden layer."""

    rows: list[list[Row]]
    bias: Row
    out: list[Row]
    out_bias: Row

    def chances(self, board: Board) -> list[float]:
        """Won, won gammons and backgammons, lost gammons and backgammons, of the side that has just moved."""
        active = [self.rows[place][count] for place, count in enumerate(counts_of(board)) if count]
        hidden = [max(0.0, total) for total in map(sum, zip(self.bias, *active, strict=True))]
        return [
            1 / (1 + math.exp(-sum(map(float.__mul__, hidden, row), bias)))
            for row, bias in zip(self.out, self.out_bias, strict=True)
        ]


def chances(board: Board) -> list[float]:
    """The chances of the side that has just moved to `board`: games won, gammons, backgammons, and the same lost.

    Certain ends are exact, and what can no longer happen has no chance.
    """
    own_off, other_off = CHECKERS - _left(board, 1), CHECKERS - _left(board, -1)
    if own_off == CHECKERS:
        return _won(board, other_off)
    name = "race" if is_race(board) else "contact"
    won, gammon, backgammon, lost_gammon, lost_backgammon = _nets()[name].chances(board)
    if other_off:
        gammon = backgammon = 0.0
    if own_off:
        lost_gammon = lost_backgammon = 0.0
    gammon, lost_gammon = min(gammon, won), min(lost_gammon, 1 - won)
    return [won, gammon, min(backgammon, gammon), lost_gammon, min(lost_backgammon, lost_gammon)]


def _left(board: Board, sign: int) -> int:
    """The checkers of a side that are not borne off."""
    return sum(sign * each for each in board[1:25] if sign * each > 0) + board[25 if sign > 0 else 0]


def _won(board: Board, other_off: int) -> list[float]:
    """The chances after the last checker was borne off."""
    in_home = bool(board[0]) or any(each < 0 for each in board[1:7])
    return [1.0, float(not other_off), float(not other_off and in_home), 0.0, 0.0]


@cache
def _nets() -> dict[str, Net]:
    """The nets by name, read once for each process."""
    return {name: _net(data) for name, data in json.loads(WEIGHTS.read_text())["nets"].items()}


def _net(data: dict[str, Any]) -> Net:
    hidden = int(data["hidden"])
    first, second = _numbers(data["w1"]), _numbers(data["w2"])
    rows = []
    for place in range(PLACES):
        begin = place * SLOTS * hidden
        slots = [first[begin + slot * hidden : begin + (slot + 1) * hidden] for slot in range(SLOTS)]
        exact = [[0.0] * hidden, *slots[:5]]
        more = [[a + n * b for a, b in zip(slots[4], slots[5], strict=True)] for n in range(1, CHECKERS - 4)]
        rows.append([*exact, *more])
    return Net(rows, _numbers(data["b1"]), [second[output::5] for output in range(5)], _numbers(data["b2"]))


def _numbers(packed: dict[str, Any]) -> Row:
    """The numbers of a part of the weights: 16-bit integers in base64, times a scale."""
    whole = array.array("h", base64.b64decode(packed["data"]))
    if sys.byteorder == "big":
        whole.byteswap()
    return [packed["scale"] * each for each in whole]
