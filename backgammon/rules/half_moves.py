"""The rules of a single number: where a checker may move with it (B4, B6, B7, B9), on packed boards (`Board.code`)."""

from __future__ import annotations

from itertools import compress
from typing import NamedTuple

from .board import BAR, BLOT, EMPTY, HIT, HOME, OFF, PLACES, STEP, STOCK, wire_place

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


class _Way(NamedTuple):
    """From one place with one number: the half-move and what it adds to the board, without and with a hit."""

    half: HalfMove
    step: int
    hit: HalfMove
    hit_step: int
    target_place: int
    """The wire place of the target; 0: off."""


def _way(source: int, die: int) -> _Way:
    target = max(landing(source, die), OFF)
    half, step = HalfMove(source, target, die, False), STEP[die][source]
    return _Way(half, step, half._replace(hit=True), step + HIT[target], wire_place(target) if target else 0)


_WAYS = ((), *(tuple(_way(source, die) for source in (STOCK, *range(24, 0, -1))) for die in range(1, 7)))
"""``_WAYS[die]``: from all places but the bar, the highest first."""
_ENTERING = ((), *((_way(BAR, die),) for die in range(1, 7)))
"""``_ENTERING[die]``: from the bar."""
_STOCK = slice(wire_place(STOCK), wire_place(STOCK) + 1)
_POINTS = slice(wire_place(24), wire_place(OFF), -1)
_BAR = wire_place(BAR)
_STANDS = bytes(count > EMPTY for count in range(256))
"""Whether a checker of the mover stands on a place, by its count."""

Step = tuple[HalfMove, int]
"""A half-move and the packed board after it."""


def half_moves(code: int, die: int, free: int = 0) -> list[Step]:
    """Every legal half-move with one number, highest source first.

    Checkers on the bar first (B7); land on an open point, hitting a blot (B6); bear off only with all checkers home,
    from the exact point, or from the highest one when the number is larger still (B9), or from a point up to `free`
    (H2).
    """
    at = code.to_bytes(PLACES, "big")
    stands = at.translate(_STANDS)
    ways = _ENTERING[die] if stands[_BAR] else compress(_WAYS[die], stands[_STOCK] + stands[_POINTS])
    found: list[Step] = []
    highest = 0
    for half, step, hit, hit_step, target_place in ways:
        highest = highest or half[0]
        if target_place:
            if at[target_place] >= EMPTY:
                found.append((half, code + step))
            elif at[target_place] == BLOT:
                found.append((hit, code + hit_step))
        elif highest <= HOME and ((source := half[0]) == die or source == highest or source <= free):
            found.append((half, code + step))
    return found
