"""The tree of half-moves: every way to the legal plays of a roll, and none that ends elsewhere (B5)."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from .halfmoves import Dice, HalfMove, halves, numbers_of


class Branch(NamedTuple):
    """One half-move of the tree: `next` is the node it leads to, or -1 when the play is complete; `code` its board."""

    half: HalfMove
    next: int
    code: int


Node = tuple[Branch, ...]
_State = tuple[int, tuple[int, ...]]
"""A packed board, and the numbers that are left to play on it."""


class _Ways(NamedTuple):
    """From one board with some dice left: how many numbers can be used, and the half-moves that use that many."""

    depth: int
    halves: tuple[tuple[HalfMove, _State], ...]


def grown(code: int, dice: Dice, free: int = 0, *, only: Collection[int] | None = None) -> tuple[Node, ...]:
    """The nodes of a roll on a packed board; node 0 is the root. With `only`, just the ways to these results (H1).

    Two ways to the same board with the same dice left share a node, so doubles stay small. Every walk from the root to
    -1 is a legal play, and every legal play can be walked in each order that the rules allow.
    """
    root = (code, numbers_of(dice))
    ways: dict[_State, _Ways] = {}
    _explore(ways, root, free)
    if only is not None:
        _prune(ways, root, only, set())
    index = {root: 0}
    nodes: list[Node] = []
    queue = [root]
    for state in queue:
        node = []
        for half, following in ways[state].halves:
            if ways[following].depth == 0:
                node.append(Branch(half, -1, following[0]))
                continue
            if following not in index:
                index[following] = len(queue)
                queue.append(following)
            node.append(Branch(half, index[following], following[0]))
        nodes.append(tuple(node))
    return tuple(nodes)


def _explore(ways: dict[_State, _Ways], state: _State, free: int) -> _Ways:
    """Fill `ways` with every board that can be reached, keeping only what uses the most numbers (B5)."""
    known = ways.get(state)
    if known is not None:
        return known
    code, left = state
    reached = []
    for die in sorted(set(left), reverse=True):
        rest = list(left)
        rest.remove(die)
        numbers = tuple(rest)
        for source, target, hit, after in halves(code, die, free):
            following = (after, numbers)
            reached.append((1 + _explore(ways, following, free).depth, HalfMove(source, target, die, hit), following))
    depth = max((use for use, *_ in reached), default=0)
    best = [(half, following) for use, half, following in reached if use == depth]
    if depth == 1 < len(set(left)):
        largest = max(half.die for half, _ in best)
        best = [way for way in best if way[0].die == largest]
    ways[state] = _Ways(depth, tuple(best))
    return ways[state]


def _prune(ways: dict[_State, _Ways], state: _State, only: Collection[int], done: set[_State]) -> bool:
    """Cut what leads to none of the results out of `ways`; whether anything is left to do, or done, from `state`."""
    depth, found = ways[state]
    if depth == 0:
        return state[0] in only
    if state not in done:
        done.add(state)
        found = tuple(way for way in found if _prune(ways, way[1], only, done))
        ways[state] = _Ways(depth, found)
    return bool(found)
