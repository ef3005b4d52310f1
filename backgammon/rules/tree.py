"""The tree of half-moves: all sequences of half-moves that lead to the legal plays of a roll (B5)."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from backgammon.rules.half_moves import Dice, HalfMove, half_moves, numbers_of


class Branch(NamedTuple):
    """One half-move of the tree: `next` is the node it leads to, or -1 when the play is complete; `code` its board."""

    half: HalfMove
    next: int
    code: int


Node = tuple[Branch, ...]
_State = tuple[int, tuple[int, ...]]
"""A packed board, and the numbers that are left to play on it."""


class _Reachable(NamedTuple):
    """For one board with some dice left: how many numbers can be used, and the half-moves that use that many."""

    depth: int
    halves: tuple[tuple[HalfMove, _State], ...]


def build_tree(code: int, dice: Dice, free: int = 0, *, only: Collection[int] | None = None) -> tuple[Node, ...]:
    """Build the nodes of a roll on a packed board; node 0 is the root. With `only`, just those to these results (H1).

    Two sequences to the same board with the same dice left share a node, so doubles stay small. Every walk from
    the root to -1 is a legal play, and every legal play can be walked in every order that the rules allow.
    """
    root = (code, numbers_of(dice))
    reachable: dict[_State, _Reachable] = {}
    _explore(reachable, root, free)
    if only is not None:
        _prune(reachable, root, only, set())
    index = {root: 0}
    nodes: list[Node] = []
    queue = [root]
    for state in queue:
        node = []
        for half, following in reachable[state].halves:
            if reachable[following].depth == 0:
                node.append(Branch(half, -1, following[0]))
                continue
            if following not in index:
                index[following] = len(queue)
                queue.append(following)
            node.append(Branch(half, index[following], following[0]))
        nodes.append(tuple(node))
    return tuple(nodes)


def _explore(reachable: dict[_State, _Reachable], state: _State, free: int) -> _Reachable:
    """Fill `reachable` with every board that can be reached, keeping only half-moves that use the most numbers (B5)."""
    known = reachable.get(state)
    if known is not None:
        return known
    code, left = state
    candidates = []
    for die in sorted(set(left), reverse=True):
        rest = list(left)
        rest.remove(die)
        numbers = tuple(rest)
        for source, target, hit, after in half_moves(code, die, free):
            following = (after, numbers)
            candidates.append(
                (1 + _explore(reachable, following, free).depth, HalfMove(source, target, die, hit), following)
            )
    depth = max((used for used, *_ in candidates), default=0)
    best = [(half, following) for used, half, following in candidates if used == depth]
    if depth == 1 < len(set(left)):
        largest = max(half.die for half, _ in best)
        best = [pair for pair in best if pair[0].die == largest]
    reachable[state] = _Reachable(depth, tuple(best))
    return reachable[state]


def _prune(reachable: dict[_State, _Reachable], state: _State, only: Collection[int], done: set[_State]) -> bool:
    """Remove from `reachable` what leads to none of the results; whether `state` still leads to one."""
    depth, found = reachable[state]
    if depth == 0:
        return state[0] in only
    if state not in done:
        done.add(state)
        found = tuple(pair for pair in found if _prune(reachable, pair[1], only, done))
        reachable[state] = _Reachable(depth, found)
    return bool(found)
