"""A hand-written evaluation of positions on 24 points: the race, the shots, and the points held.

For the variants that bgsage does not support. The result is an equity between -1 (lost) and 1 (won); gammons and the
cube are not considered.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from games.engine import Side, opponent

HALF_ROLL = 4.1
"""Half of the average pips of a roll: the value of being on roll."""
SHOTS = dict(zip(range(1, 13), (11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3), strict=True)) | dict.fromkeys(
    (15, 16, 18, 20, 24), 1
)
"""How many of 36 rolls hit from a distance in points when nothing is in between."""
LATER = 0.35
"""The share of a shot's value when its player is not on roll."""
HELD = 1.6
"""The value in pips of a point held in front of the opponent's checkers, for each of up to `STOPPED` behind it."""
STOPPED = 4
WASTE = 1.5
"""Pips wasted in bearing off for each checker on the ace or deuce point."""
SPREAD = 1.5
"""The standard deviation of a race is this times the root of both sides' pips."""

Half = Mapping[str, Any]


def position_equity(view: Mapping[str, Any], side: Side, rolls: Side) -> float:
    """The equity of `side` in a position's view, with `rolls` on roll next."""
    own_half, opponent_half = view["board"][side], view["board"][opponent(side)]
    own_pips, opponent_pips = pips(own_half), pips(opponent_half)
    lead = opponent_pips - own_pips
    lead += held(own_half, opponent_half) - held(opponent_half, own_half)
    lead -= danger(own_half, opponent_half, soon=rolls != side)
    lead += danger(opponent_half, own_half, soon=rolls == side)
    lead += HALF_ROLL if rolls == side else -HALF_ROLL
    return math.erf(lead / (SPREAD * math.sqrt(2 * max(own_pips + opponent_pips, 4))))


def pips(half: Half) -> float:
    """The pip count of a side with wastage; a checker in the stock or on the bar counts 25."""
    wasted = WASTE * sum(half["points"][:2])
    return sum(n * count for n, count in enumerate(half["points"], 1)) + 25 * (half["bar"] + half["stock"]) + wasted


def danger(half: Half, other: Half, *, soon: bool) -> float:
    """The pips that a side loses on average by shots at its blots; `soon`: the other side rolls next."""
    lost, home = 0.0, sum(count > 1 for count in other["points"][:6])
    shooters = [n for n, count in enumerate(other["points"], 1) if count]
    if other["bar"] or other["stock"]:
        shooters.append(25)
    for point, count in enumerate(half["points"], 1):
        if count != 1:
            continue
        missed = 1.0
        for place in shooters:
            missed *= 1 - SHOTS.get(place - (25 - point), 0) / 36
        lost += (1 - missed) * (25 - point) * (1 + home / 6)
    return lost * (1.0 if soon else LATER)


def held(half: Half, other: Half) -> float:
    """The value in pips of the points of a side that block the other side's checkers."""
    worth = 0.0
    for point, count in enumerate(half["points"], 1):
        if count < 2:
            continue
        behind = other["bar"] + other["stock"] + sum(other["points"][25 - point :])
        worth += HELD * min(behind, STOPPED) * (1.0 if point <= 7 else 0.5)
    return worth
