"""The tree of half-moves: all sequences of half-moves that lead to the legal plays of a roll (B5)."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

from backgammon.rules.half_moves import Dice, HalfMove, Step, half_moves, numbers_of

Branch = tuple[HalfMove, int, int]
"""A half-move, the node it leads to, or -1 when the play is complete, and the packed board after it."""
Node = tuple[Branch, ...]


def build_tree(code: int, dice: Dice, free: int = 0, *, only: Collection[int] | None = None) -> tuple[Node, ...]:
    """Build the nodes of a roll on a packed board; node 0 is the root. With `only`, just those to these results (H1).

    Two sequences to the same board with the same dice left share a node, so doubles stay small. Every walk from
    the root to -1 is a legal play, and every legal play can be walked in every order that the rules allow.
    """
    low, high = sorted(dice)
    nodes = _nodes_of_doubles(code, low, free, only) if low == high else _nodes_of_two(code, high, low, free, only)
    return tuple(nodes) or ((),)


def _nodes_of_two(code: int, high: int, low: int, free: int, only: Collection[int] | None) -> list[Node]:
    """The nodes of two different numbers. If no play uses both, only the larger that can be played stays (B5)."""
    both = [
        (first, half_moves(first[1], other, free))
        for die, other in ((high, low), (low, high))
        for first in half_moves(code, die, free)
    ]
    if not any(seconds for _, seconds in both):
        firsts = half_moves(code, high, free) or half_moves(code, low, free)
        return [_last(firsts, only)] if firsts else []
    ends = [(first, end) for first, seconds in both if (end := _last(seconds, only))]
    root = [(half, number, board) for number, ((half, board), _) in enumerate(ends, 1)]
    return [tuple(root), *(end for _, end in ends)]


def _nodes_of_doubles(code: int, die: int, free: int, only: Collection[int] | None) -> list[Node]:
    """The nodes of a roll of doubles, level by level, as many levels as numbers can be played."""
    levels = _levels_of_doubles(code, die, free)
    if not levels:
        return []
    ends = {board: end for board, steps in levels.pop().items() if (end := _last(steps, only))}
    lasting: Collection[int] = ends
    for level in reversed(levels):
        for board, steps in level.items():
            level[board] = [step for step in steps if step[1] in lasting]
        lasting = {board for board, steps in level.items() if steps}
    nodes: list[Node] = []
    reached: Collection[int] = [code]
    for level in levels:
        ways = [level[board] for board in reached]
        reached = dict.fromkeys([after for steps in ways for _, after in steps])
        number_of = dict(zip(reached, count(len(nodes) + len(ways)), strict=False))
        nodes += [tuple([(half, number_of[after], after) for half, after in steps]) for steps in ways]
    return [*nodes, *(ends[board] for board in reached)]


def _levels_of_doubles(code: int, die: int, free: int) -> list[dict[int, list[Step]]]:
    """What can be played after equally many half-moves, by board."""
    levels: list[dict[int, list[Step]]] = []
    boards: Collection[int] = [code]
    for _ in numbers_of((die, die)):
        level = {board: half_moves(board, die, free) for board in boards}
        boards = {after for steps in level.values() for _half, after in steps}
        if not boards:
            break
        levels.append(level)
    return levels


def _last(steps: list[Step], only: Collection[int] | None) -> Node:
    """The node of these half-moves, each of which completes a play."""
    return tuple([(half, -1, board) for half, board in steps if only is None or board in only])
