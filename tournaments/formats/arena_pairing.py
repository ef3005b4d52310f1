"""Pairing the players of an arena who are free at a moment (ruling E26). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import combinations

from .core import Entrant, EntrantPair

REMATCH_AFTER = timedelta(seconds=30)  # who has waited so long may meet the same opponent again
NEAR = 8  # places in the table between two who are paired, unless nobody nearer is free
BLOCK = 24  # players of neighbouring places who are matched together: the time grows with the cube of their number
LONGEST_WAIT = 3600  # seconds: a longer wait gives no more precedence
# One unit of a criterion outweighs all that the later ones add up to: rematches, waiting, the places of those who are
# left out, the distance in the table.
REMATCH, WAIT, PLACE = 10**19, 10**11, 10**5


@dataclass(frozen=True, slots=True)
class FreePlayer:
    """A player who waits for an opponent: how long, and their last opponent."""

    entrant: Entrant
    waited: timedelta
    last: Entrant | None = None


def pair_free(free: Sequence[FreePlayer]) -> list[EntrantPair]:
    """The pairs of free players, who are given in the order of the table; from the top.

    As many as possible are paired. Two who met in the last match of either are paired again only when both have waited
    for REMATCH_AFTER, and only if that brings more pairs. Who waited least is left out, of these the lowest in the
    table; otherwise players meet who are near each other in it. No two are left out who may meet.

    More than BLOCK players are paired block by block, and then those that the blocks left out.
    """
    paired: list[tuple[int, int]] = []
    for first in range(0, len(free), BLOCK):
        last = min(first + BLOCK, len(free))
        near = [(a, b) for a in range(first, last) for b in range(a + 1, min(a + NEAR + 1, last))]
        paired += _matched(free, near)
    left = [place for place in range(len(free)) if place not in {place for pair in paired for place in pair}]
    paired += _matched(free, list(combinations(left, 2)))
    return [(free[a].entrant, free[b].entrant) for a, b in sorted(paired)]


def may_meet(a: FreePlayer, b: FreePlayer) -> bool:
    """Whether two may be paired: unless they just met, or after a long enough wait."""
    return not _just_met(a, b) or min(a.waited, b.waited) >= REMATCH_AFTER


def _just_met(a: FreePlayer, b: FreePlayer) -> bool:
    return a.last == b.entrant or b.last == a.entrant


def _matched(free: Sequence[FreePlayer], edges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The best of the largest matchings among the edges whose two players may meet."""
    import networkx  # imported here, as it takes a quarter of a second

    graph = networkx.Graph()
    graph.add_weighted_edges_from(_weighted(free, edges))
    return [(min(two), max(two)) for two in networkx.max_weight_matching(graph, maxcardinality=True)]


def _weighted(free: Sequence[FreePlayer], edges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
    for a, b in edges:
        if may_meet(free[a], free[b]):
            waited = sum(min(int(free[place].waited.total_seconds()), LONGEST_WAIT) for place in (a, b))
            rematch = REMATCH * _just_met(free[a], free[b])
            yield a, b, WAIT * waited - PLACE * (a + b) - (b - a) ** 2 - rematch
