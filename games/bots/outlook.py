"""How a game on points stands, by what a player counts at the board: the race, the shots, and the points held.

For the games that bgsage does not know. Each number is one that can be read off the board; the result is an equity
between -1 (lost) and 1 (won). It knows no gammon and no cube.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from games.engine import Side, rival

HALF_ROLL = 4.1
"""Half of what a roll moves on average: what it is worth to be the one who rolls."""
SHOTS = dict(zip(range(1, 13), (11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3), strict=True)) | dict.fromkeys(
    (15, 16, 18, 20, 24), 1
)
"""Of 36 rolls, those that hit from so many points away when nothing is in between."""
LATER = 0.35
"""How much of a shot is left when its player has to wait for his next turn."""
HELD = 1.6
"""Pips that a point held in front of the rival's men is worth, for each of up to `STOPPED` men behind it."""
STOPPED = 4
WASTE = 1.5
"""Pips lost in bearing off for each man that stands on the ace or deuce point."""
SPREAD = 1.5
"""How far races of so many pips wander: the standard deviation is this times the root of both sides' pips."""

Half = Mapping[str, Any]


def outlook(view: Mapping[str, Any], side: Side, rolls: Side) -> float:
    """The equity of `side` in a position's view, `rolls` being the one who rolls next."""
    mine, yours = view["board"][side], view["board"][rival(side)]
    left, his = pips(mine), pips(yours)
    lead = his - left
    lead += held(mine, yours) - held(yours, mine)
    lead -= danger(mine, yours, soon=rolls != side)
    lead += danger(yours, mine, soon=rolls == side)
    lead += HALF_ROLL if rolls == side else -HALF_ROLL
    return math.erf(lead / (SPREAD * math.sqrt(2 * max(left + his, 4))))


def pips(half: Half) -> float:
    """What a side has still to move; a man in stock or on the bar comes from beyond the 24-point."""
    wasted = WASTE * sum(half["points"][:2])
    return sum(n * men for n, men in enumerate(half["points"], 1)) + 25 * (half["bar"] + half["stock"]) + wasted


def danger(half: Half, other: Half, *, soon: bool) -> float:
    """The pips that `half` loses on average by the shots at its blots; `soon`: the other side rolls next."""
    lost, home = 0.0, sum(men > 1 for men in other["points"][:6])
    shooters = [n for n, men in enumerate(other["points"], 1) if men]
    if other["bar"] or other["stock"]:
        shooters.append(25)
    for point, men in enumerate(half["points"], 1):
        if men != 1:
            continue
        missed = 1.0
        for place in shooters:
            missed *= 1 - SHOTS.get(place - (25 - point), 0) / 36
        lost += (1 - missed) * (25 - point) * (1 + home / 6)
    return lost * (1.0 if soon else LATER)


def held(half: Half, other: Half) -> float:
    """What the points of `half` are worth that stand in the way of the other side's men, in pips."""
    worth = 0.0
    for point, men in enumerate(half["points"], 1):
        if men < 2:
            continue
        behind = other["bar"] + other["stock"] + sum(other["points"][25 - point :])
        worth += HELD * min(behind, STOPPED) * (1.0 if point <= 7 else 0.5)
    return worth
