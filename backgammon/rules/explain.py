"""Explain why a half-move is illegal: a refusal code for the player, with its ruling."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

from backgammon.rules.half_moves import half_moves, landing, numbers_of

from .board import BAR, BLOT, EMPTY, HOME, OFF, STOCK, places_of
from .illegal import Illegal
from .plays import Plays


class TreeStep(NamedTuple):
    """A point within a play: the node of the tree (-1: complete), the packed board, the dice not used yet."""

    node: int
    code: int
    left: tuple[int, ...]


def begin(plays: Plays) -> TreeStep:
    """The root of the tree, before the first half-move."""
    return TreeStep(0 if plays.numbers else -1, plays.code, numbers_of(plays.dice))


def follow(plays: Plays, step: TreeStep, source: int, target: int) -> TreeStep | None:
    """The step after one checker moved from `source` to `target` with one or several numbers, None if illegal."""
    if step.node < 0:
        return None
    for half, node, code in plays.tree[step.node]:
        if half.source != source or half.target < target:
            continue
        left = list(step.left)
        left.remove(half.die)
        after = TreeStep(node, code, tuple(left))
        arrived = after if half.target == target else follow(plays, after, half.target, target)
        if arrived is not None:
            return arrived
    return None


def explain_half_move(plays: Plays, step: TreeStep, source: int, target: int) -> Illegal:
    """Why no legal play continues with `source` to a lower `target`: the first rule that it breaks, simplest first."""
    at = places_of(step.code)
    if not step.left:
        return Illegal("no_number_left", "B4")
    if at[source] <= EMPTY:
        return Illegal("not_your_man", "B1", point=source)
    if at[BAR] > EMPTY and not any(half_moves(step.code, die) for die in step.left):
        return Illegal("bar_blocked", "B7", dice=list(step.left))
    if at[BAR] > EMPTY and source != BAR:
        return Illegal("bar_first", "B7", checkers=at[BAR] - EMPTY)
    broken = _broken_bearing_off(plays, step, source) if target == OFF else _broken_landing(plays, step, source, target)
    return broken or _duty(plays)


def explain_unfinished(plays: Plays) -> Illegal:
    """Why a play that uses too few numbers is illegal (B5)."""
    return _duty(plays)


def _duty(plays: Plays) -> Illegal:
    """The refusal of a half-move that is legal by itself but leaves too much of the roll unplayed (B5)."""
    if plays.dice[0] == plays.dice[1]:
        return Illegal("must_use_more", "B5", numbers=plays.numbers)
    if plays.numbers == 1:
        return Illegal("must_use_larger", "B5", number=max(plays.dice))
    return Illegal("must_use_both", "B5", dice=list(plays.dice))


def _broken_bearing_off(plays: Plays, step: TreeStep, source: int) -> Illegal | None:
    """Why bearing off with the dice left is illegal (B9; B10 after a hit; A3 before all are entered), or None."""
    at = places_of(step.code)
    away = [point for point in (STOCK, BAR, *range(24, HOME, -1)) if at[point] > EMPTY]
    if away:
        ruling = "A3" if away[0] == STOCK else "B10" if at[OFF] > EMPTY else "B9"
        return Illegal("not_all_home", ruling, point=away[0])
    if source in step.left or source <= plays.house.free:
        return None
    if max(step.left) < source:
        return Illegal("no_such_number", "B9", number=source, dice=list(step.left))
    higher = [point for point in range(HOME, source, -1) if at[point] > EMPTY]
    return Illegal("exact_higher_first", "B9", point=higher[0]) if higher else None


def _broken_landing(plays: Plays, step: TreeStep, source: int, target: int) -> Illegal | None:
    """Why landing on a point is illegal with the dice left (B4, B6), or None."""
    distance = landing(source, 0) - target
    if distance not in step.left:
        return _broken_hops(plays, step, source, target, distance)
    if places_of(step.code)[target] < BLOT:
        return Illegal("blocked", "B6", point=target)
    return None


def _broken_hops(plays: Plays, step: TreeStep, source: int, target: int, distance: int) -> Illegal:
    """Why one checker cannot move a distance that is no single number: no dice add up to it, or a stop is illegal."""
    orders = sorted(set(permutations(step.left)), reverse=True)
    for order in orders:
        for count in range(2, len(order) + 1):
            if sum(order[:count]) != distance:
                continue
            at_step, place = step, source
            for die in order[:count]:
                stop = landing(place, die)
                after = follow(plays, at_step, place, stop)
                if after is None:
                    return explain_half_move(plays, at_step, place, stop)
                at_step, place = after, stop
    return Illegal("no_such_number", "B4", number=distance, dice=list(step.left))
