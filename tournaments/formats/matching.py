"""Pairing a round: one perfect matching of least cost (Edmonds' blossom algorithm, as networkx has it).

What it finds is not a good pairing but the best there is.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple, TypeAlias, TypeVar

from .core import Invalid

Player = TypeVar("Player", bound=Hashable)
Number: TypeAlias = int | float | Fraction
Meeting: TypeAlias = tuple[Player, Player | None, Player | None]  # (a, b, winner), or (a, None, a): a bye

NEAR = 8  # neighbours in the order of points whose pairing is tried first: this matters for speed only


def pair(
    active: Sequence[Player],
    scores: Mapping[Player, Number],
    history: Iterable[Iterable[Meeting[Player]] | Meeting[Player]],
    *,
    together: Iterable[tuple[Player, Player]] = (),
    apart: Iterable[tuple[Player, Player]] = (),
) -> tuple[list[tuple[Player, Player]], Player | None]:
    """The pairs of the next round, from the top, and who has the bye: None if the number of players is even.

    `active` are the players; their order decides between equals. A player without a score has 0. The pairing has the
    least cost of all; each criterion counts only between pairings that the ones before it leave equal:

    1. earlier meetings of the pairs (two meetings count 2),
    2. byes that the bye player already had,
    3. the score of the bye player,
    4. the sum of the squared differences of score,
    5. the distance from the fold: in a score group of m each player meets the one m // 2 places below; the lowest of
       a group floats, to the highest of the next; the lowest of all has the bye.

    Players of the history who are not in `active` count for nothing. Winners do not matter, as `scores` has them.
    Rounds do not matter either, so meetings may also stand in `history` one by one.

    The pairs of `together` meet, whatever that costs, and those of `apart` do not. Raises Invalid: pairs_forced (one of
    the two does not play, or has to meet another player, too, or must not meet this one), pairs_forbidden (somebody has
    no opponent left).
    """
    forbidden = {frozenset(two) for two in apart}
    places = {player: place for place, player in enumerate(active)}
    pairs = [_forced(two, places, forbidden) for two in together]
    if len({place for two in pairs for place in two}) < 2 * len(pairs):
        raise Invalid("pairs_forced", entrants=_twice(pairs, active))
    free = [player for player in active if places[player] not in {place for two in pairs for place in two}]
    bye = None
    edges = _edges(free, scores, list(_each_meeting(history)), forbidden)
    found = _cheapest(len(free) + len(free) % 2, edges)
    if alone := [free[place] for edge in found if edge.forbidden for place in (edge.a, edge.b)]:
        raise Invalid("pairs_forbidden", entrants=alone)
    for edge in found:
        if edge.b == len(free):
            bye = free[edge.a]
        else:
            pairs.append((places[free[edge.a]], places[free[edge.b]]))

    def rank(place: int) -> tuple[Number, int]:
        return (-scores.get(active[place], 0), place)

    ranked = [sorted(places_of_pair, key=rank) for places_of_pair in pairs]
    ranked.sort(key=lambda places_of_pair: [rank(place) for place in places_of_pair])
    return [(active[a], active[b]) for a, b in ranked], bye


def _forced(
    two: tuple[Player, Player], places: Mapping[Player, int], forbidden: Collection[frozenset[Player]]
) -> tuple[int, int]:
    """The places of two players who have to meet, the upper one first. Raises Invalid("pairs_forced")."""
    if not places.keys() >= set(two) or len(set(two)) < 2 or frozenset(two) in forbidden:
        raise Invalid("pairs_forced", entrants=list(two))
    a, b = sorted(places[player] for player in two)
    return a, b


def _twice(pairs: Iterable[tuple[int, int]], active: Sequence[Player]) -> list[Player]:
    """The players who have to meet two opponents at once."""
    counted = Counter(place for two in pairs for place in two)
    return [active[place] for place, times in counted.items() if times > 1]


def _each_meeting(history: Iterable[Iterable[Any]]) -> Iterator[Meeting[Any]]:
    """All meetings, without their rounds."""
    for item in map(tuple, history):
        if item and not isinstance(item[0], tuple | list):
            yield item  # a single meeting
        else:
            yield from item  # a round


class _Edge(NamedTuple):
    """Two players who could meet, as places in `active`; the place after the last is the bye.

    `cost` combines all criteria in one whole number; no complete pairing with this edge costs less than `least`.
    """

    a: int
    b: int
    cost: int
    least: int
    near: bool  # at most NEAR places apart in the order of points
    forbidden: bool = False


def _edges(
    active: Sequence[Player],
    scores: Mapping[Player, Number],
    played: Sequence[Meeting[Player]],
    forbidden: Collection[frozenset[Player]] = (),
) -> list[_Edge]:
    """Every edge. One unit of a criterion outweighs all that the later ones can add up to.

    Before all of them, as few forbidden edges as possible are used: if one is left, there is no pairing.
    """
    count = len(active)
    points = _whole([scores.get(player, 0) for player in active])
    met = Counter(frozenset(meeting[:2]) for meeting in played)
    bye_counts = [met[frozenset((player, None))] for player in active]
    lowest, spread = min(points, default=0), max(points, default=0) - min(points, default=0)

    square = count**3 + 1  # more than the fold distances of all pairs together
    point = square * (count * spread**2 + 1)
    bye = point * (spread + 1)
    rematch = bye * (max(bye_counts, default=0) + 1)
    never = rematch * (count * max(met.values(), default=0) + 1)

    byes = [bye_counts[a] * bye + (points[a] - lowest) * point for a in range(count)] if count % 2 else []
    best_bye = min(byes, default=0)
    bye_points = [points[byes.index(best_bye)]] if byes else []  # of the bye player, if the others can be paired freely
    fold = _Fold(points)
    smoothest = _smoothest(points)

    near = {place: rank for rank, place in enumerate(sorted(range(count), key=points.__getitem__), start=1)}

    edges = []
    for a in range(len(byes)):
        least = byes[a] + smoothest(points[a]) * square
        edges.append(_Edge(a, count, byes[a] + fold.bye(a), least, near[a] <= NEAR))
    for a in range(count):
        for b in range(a + 1, count):
            is_forbidden = frozenset((active[a], active[b])) in forbidden
            meeting = met[frozenset((active[a], active[b]))] * rematch + never * is_forbidden
            squared = (points[a] - points[b]) ** 2
            least = meeting + best_bye + (squared + smoothest(points[a], points[b], *bye_points)) * square
            cost = meeting + squared * square + fold.pair(a, b)
            edges.append(_Edge(a, b, cost, least, abs(near[a] - near[b]) <= NEAR, is_forbidden))
    return edges


def _whole(scores: Sequence[Number]) -> list[int]:
    """The same scores in the largest unit that makes all of them whole, so that nothing is rounded."""
    exact = [Fraction(score) for score in scores]
    unit = lcm(*(score.denominator for score in exact))
    return [int(score * unit) for score in exact]


class _Fold:
    """Squared distances of pairs from the fold of their score groups: many small ones are better than one large."""

    def __init__(self, points: Sequence[int]) -> None:
        self.points = points
        self.size: Counter[int] = Counter()
        self.rank: list[int] = []  # in the score group, from 0 at the top
        for number in points:
            self.rank.append(self.size[number])
            self.size[number] += 1

    def pair(self, a: int, b: int) -> int:
        if self.points[a] == self.points[b]:
            return (abs(self.rank[a] - self.rank[b]) - self.size[self.points[a]] // 2) ** 2
        upper, lower = (a, b) if self.points[a] > self.points[b] else (b, a)
        return self.bye(upper) + self.rank[lower] ** 2

    def bye(self, a: int) -> int:
        return (self.size[self.points[a]] - 1 - self.rank[a]) ** 2


def _smoothest(points: Sequence[int]) -> Callable[..., int]:
    """A lower bound of the sum of squared differences, once players with the given points are taken out.

    Whoever has met whom, no sum is below that of neighbours in the order of points.
    """
    ordered = sorted(points)
    # Cumulated squares of the differences between neighbours, for steps that start at even and at odd places.
    sums = ([0], [0])
    for place, (low, high) in enumerate(pairwise(ordered)):
        for parity in (0, 1):
            sums[parity].append(sums[parity][-1] + (high - low) ** 2 * (place % 2 == parity))

    @cache
    def least(*without: int) -> int:
        removed: list[int] = []
        for number in sorted(without):
            place = bisect_left(ordered, number, lo=removed[-1] + 1 if removed else 0)
            if place == len(ordered) or ordered[place] != number:
                return 0  # no other player has these points: there is no bound
            removed.append(place)
        total, start, single = 0, 0, None
        for stop in (*removed, len(ordered)):
            if single is not None and start < stop:
                total, start, single = total + (ordered[start] - single) ** 2, start + 1, None
            if start < stop:
                steps = sums[start % 2]
                total += steps[stop - 1] - steps[start]
                if (stop - start) % 2:
                    single = ordered[stop - 1]
            start = stop + 1
        return total

    return least


def _cheapest(nodes: int, edges: Sequence[_Edge]) -> list[_Edge]:
    """The perfect matching of least cost in this complete graph.

    Matching takes longer the more edges there are, and most are in no good pairing. So it is tried with the most
    promising edges: no edge whose `least` is above the cost found can be in a cheaper matching. More edges are added
    until this proves the matching to be the cheapest.
    """
    prices = _prices(nodes, edges)
    floor = sum(prices)
    bounded = sorted(
        (edge._replace(least=max(edge.least, floor + edge.cost - prices[edge.a] - prices[edge.b])) for edge in edges),
        key=_least,
    )
    likely = NEAR * nodes
    while True:
        if likely < len(bounded):
            likely = bisect_right(bounded, bounded[likely - 1].least, key=_least)  # edges of equal bound together
        found = _matching([*bounded[:likely], *(edge for edge in bounded[likely:] if edge.near)], prices)
        possible = len(bounded)
        if 2 * len(found) == nodes:
            possible = bisect_right(bounded, sum(edge.cost for edge in found), key=_least)
        if possible <= likely:
            return found
        likely = min(possible, 4 * likely)


def _least(edge: _Edge) -> int:
    return edge.least


def _prices(nodes: int, edges: Iterable[_Edge]) -> list[int]:
    """A price for each node: the nodes of an edge never pay more than its cost, and no node could pay more alone.

    No perfect matching costs less than all prices together. Subtracting them from the costs of the edges changes no
    comparison between perfect matchings, and saves most of the work.
    """
    cost = [[0] * nodes for _ in range(nodes)]
    for edge in edges:
        cost[edge.a][edge.b] = cost[edge.b][edge.a] = edge.cost
    others = [[other for other in range(nodes) if other != node] for node in range(nodes)]
    prices = [min(cost[node][other] for other in others[node]) // 2 for node in range(nodes)]
    for node in range(nodes):
        prices[node] = min(cost[node][other] - prices[other] for other in others[node])
    return prices


def _matching(edges: Iterable[_Edge], prices: Sequence[int]) -> list[_Edge]:
    """The matching of least cost among the largest ones."""
    import networkx  # imported here, as it takes a quarter of a second

    graph = networkx.Graph()
    for edge in edges:
        graph.add_edge(edge.a, edge.b, weight=prices[edge.a] + prices[edge.b] - edge.cost, edge=edge)
    return [graph.edges[pair]["edge"] for pair in networkx.max_weight_matching(graph, maxcardinality=True)]
