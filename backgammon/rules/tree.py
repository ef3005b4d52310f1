"""The tree of half-moves: all sequences of half-moves that lead to the legal plays of a roll (B5)."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from functools import cache
from typing import NamedTuple

from backgammon.rules.half_moves import Dice, HalfMove, half_moves, numbers_of


class Branch(NamedTuple):
    """One half-move of the tree: `next` is the node it leads to, or -1 when the play is complete; `code` its board."""

    half: HalfMove
    next: int
    code: int


Node = tuple[Branch, ...]
_Step = tuple[HalfMove, int, Hashable]
"""A half-move, the packed board after it, and the key of what can be played there in the next level."""
_Level = dict[Hashable, list[_Step]]
"""What can be played after equally many half-moves, by board; after one of two numbers by board and number left."""

_half_move = cache(HalfMove)  # a tree has hundreds of them, and few are different


def build_tree(code: int, dice: Dice, free: int = 0, *, only: Collection[int] | None = None) -> tuple[Node, ...]:
    """Build the nodes of a roll on a packed board; node 0 is the root. With `only`, just those to these results (H1).

    Two sequences to the same board with the same dice left share a node, so doubles stay small. Every walk from
    the root to -1 is a legal play, and every legal play can be walked in every order that the rules allow.
    """
    low, high = sorted(dice)
    levels = _levels_of_doubles(code, low, free) if low == high else _levels_of_two(code, high, low, free)
    if not levels:
        return ((),)
    if only is not None:
        levels[-1] = {board: [step for step in steps if step[1] in only] for board, steps in levels[-1].items()}
    _leave_out_what_ends_early(levels)
    return tuple(_numbered(code, levels))


def _levels_of_doubles(code: int, die: int, free: int) -> list[_Level]:
    """The levels of a roll of doubles, as many as there are numbers that can be played."""
    levels: list[_Level] = []
    boards: Collection[int] = [code]
    for _ in numbers_of((die, die)):
        level: _Level = {
            board: [
                (_half_move(source, target, die, hit), after, after)
                for source, target, hit, after in half_moves(board, die, free)
            ]
            for board in boards
        }
        boards = {after for steps in level.values() for _half, after, _left in steps}
        if not boards:
            break
        levels.append(level)
    return levels


def _levels_of_two(code: int, high: int, low: int, free: int) -> list[_Level]:
    """The levels of two different numbers. If no play uses both, only the larger that can be played stays (B5)."""
    first: list[_Step] = []
    second: _Level = {}
    for die, other in ((high, low), (low, high)):
        for source, target, hit, board in half_moves(code, die, free):
            left = (board, other)
            first.append((_half_move(source, target, die, hit), board, left))
            second[left] = [
                (_half_move(then_source, then_target, other, then_hit), after, None)
                for then_source, then_target, then_hit, after in half_moves(board, other, free)
            ]
    if any(second.values()):
        return [{code: first}, second]
    return [{code: [step for step in first if step[0].die == first[0][0].die]}] if first else []


def _leave_out_what_ends_early(levels: list[_Level]) -> None:
    """Leave out the half-moves after which not all levels can be played (B5)."""
    for above, below in zip(levels[-2::-1], levels[:0:-1], strict=True):
        for left, steps in above.items():
            above[left] = [step for step in steps if below[step[2]]]


def _numbered(code: int, levels: list[_Level]) -> list[Node]:
    """The nodes, level by level, in the order in which branches lead to them."""
    nodes: list[Node] = []
    reached: dict[Hashable, int] = {code: 0}
    for level in levels[:-1]:
        number_of: dict[Hashable, int] = {}
        first = len(nodes) + len(reached)
        for left in reached:
            nodes.append(
                tuple(
                    [
                        Branch(half, number_of.setdefault(following, first + len(number_of)), board)
                        for half, board, following in level[left]
                    ]
                )
            )
        reached = number_of
    nodes += [tuple([Branch(half, -1, board) for half, board, _ in levels[-1][left]]) for left in reached]
    return nodes
