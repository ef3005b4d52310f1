"""The board layout of engines: 26 numbers seen from one side, and the board after a play.

Indices 1..24 are the points in that side's numbering, own checkers positive and the opponent's negative; 25 is the own
bar and 0 the opponent's bar, both positive. Checkers borne off are not included. This is bgsage's layout.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from games.engine import Side, opponent

Board = list[int]

PLACES = {"bar": 25, "off": 0}
STEP = re.compile(r"(?P<stops>[^()]+?)(?:\((?P<times>[1-4])\))?")


def board_of(view: Mapping[str, Any], side: Side) -> Board:
    """The board of a position's view (docs/protocol.md) seen from `side`, whoever is to move."""
    own_half, opponent_half = view["board"][side], view["board"][opponent(side)]
    points = [own - other for own, other in zip(own_half["points"], reversed(opponent_half["points"]), strict=True)]
    return [opponent_half["bar"], *points, own_half["bar"]]


def after(board: Board, play: str) -> Board:
    """The board after a legal play in its stored form (``8/5 6/5*``, ``bar/20``, ``24/18*/13(2)``, ``pass``).

    Arithmetic only, still seen from the side that moved; the play must be legal.
    """
    result = list(board)
    if play == "pass":
        return result
    for word in play.split():
        if not (step := STEP.fullmatch(word)):
            raise ValueError(f"{play!r} is not a play")
        stops = [PLACES[stop] if stop in PLACES else int(stop) for stop in step["stops"].replace("*", "").split("/")]
        for _ in range(int(step["times"] or 1)):
            for source, target in pairwise(stops):
                result[source] -= 1
                if target == PLACES["off"]:
                    continue
                if result[target] == -1:
                    result[target] = 0
                    result[0] += 1
                result[target] += 1
    return result


def flipped(board: Board) -> Board:
    """The same board seen from the other side."""
    return [board[25], *(-count for count in reversed(board[1:25])), board[0]]
