"""Answers to offers - resignations and doubles - as far as the score alone decides them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.bots.engine import DRAW
from games.engine import Position, Side, opponent


def accepts_resignation(
    position: Position, score_view: Mapping[str, Any], side: Side, level: int, *, is_enough: Callable[[int], bool]
) -> bool:
    """Accept the most that can be won and what wins the match; otherwise `is_enough` judges the points. No draws.

    Raises ValueError when that resignation is not possible.
    """
    if level == DRAW:
        return False
    offers = dict(position.resignations(opponent(side)))
    if level not in offers:
        raise ValueError(f"{opponent(side)} cannot resign at level {level} here")
    points = offers[level]
    return points == max(offers.values()) or wins_match(score_view, side, points) or is_enough(points)


def wins_match(score_view: Mapping[str, Any], side: Side, points: int) -> bool:
    """Whether so many points are the last that `side` needs."""
    return 0 < score_view["length"] <= score_view[side] + points
