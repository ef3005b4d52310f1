"""The rules of a single number: where a checker may move with it (B4, B6, B7, B9), on packed boards (`Board.code`)."""

from __future__ import annotations

from typing import NamedTuple

from .board import BAR, BLOT, EMPTY, HIT, HOME, OFF, STEP, STOCK, places_of

Dice = tuple[int, int]


class HalfMove(NamedTuple):
    """One checker moved by one number: source and target, the die used, and whether it hit a blot."""

    source: int
    target: int
    die: int
    hit: bool


def numbers_of(dice: Dice) -> tuple[int, ...]:
    """The numbers that a roll gives to play: two, or four equal ones of doubles (B4)."""
    return dice * 2 if dice[0] == dice[1] else dice


def landing(source: int, die: int) -> int:
    """The point that a checker reaches with a number; 0 or less is off. Bar and stock enter on 25-d (B7)."""
    return (BAR if source == STOCK else source) - die


def half_moves(code: int, die: int, free: int = 0) -> list[tuple[int, int, bool, int]]:
    """Every legal half-move with one number as (source, target, hit, board after it), highest source first.

    Checkers on the bar first (B7); land on an open point, hitting a blot (B6); bear off only with all checkers home,
    from the exact point, or from the highest one when the number is larger still (B9), or from a point up to `free`
    (H2).
    """
    at = places_of(code)
    if at[BAR] > EMPTY:
        sources = [BAR]
    else:
        sources = [point for point in range(24, 0, -1) if at[point] > EMPTY]
        if at[STOCK] > EMPTY:
            sources.insert(0, STOCK)
    found = []
    step = STEP[die]
    for source in sources:
        target = (BAR if source == STOCK else source) - die
        if target > OFF:
            if at[target] >= EMPTY:
                found.append((source, target, False, code + step[source]))
            elif at[target] == BLOT:
                found.append((source, target, True, code + step[source] + HIT[target]))
        elif sources[0] <= HOME and (target == OFF or source == sources[0] or source <= free):
            found.append((source, OFF, False, code + step[source]))
    return found
