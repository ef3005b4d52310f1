"""Who meets whom in a round: one perfect matching of least cost (Edmonds' blossoms, as networkx has them).

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

NEAR = 8  # how far around a player in the order of points a pairing is looked for first: only a matter of speed


def pair(
    active: Sequence[Player],
    scores: Mapping[Player, Number],
    history: Iterable[Iterable[Meeting[Player]] | Meeting[Player]],
    *,
    together: Iterable[tuple[Player, Player]] = (),
    apart: Iterable[tuple[Player, Player]] = (),
) -> tuple[list[tuple[Player, Player]], Player | None]:
    """The pairs of the next round, from the top, and who has the bye: None when the players are even in number.

    `active` is who plays; its order decides between equals. A player without a score has 0. Of all pairings it is one
    with the least, each criterion counting only between those that the ones before it leave equal:

    1. earlier meetings of the pairs (who met twice counts 2),
    2. byes that the bye player already had,
    3. his score,
    4. the sum of the squared differences of score,
    5. the distance from the fold: in a score group of m each meets the one m // 2 places below him; the lowest of a
       group floats, and to the highest of the other; the lowest of all has the bye.

    Whoever is in the history but not in `active` counts for nothing. Who won there does not matter: `scores` says it.
    Neither does it matter in which round two met, so meetings may also stand in `history` one by one.

    The pairs of `together` meet, whatever that costs, and those of `apart` do not. Raises Invalid: pairs_forced (one of
    two who shall meet does not play, or shall meet another, too, or never that one), pairs_forbidden (somebody has no
    rival left).
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

    seated = [sorted(one, key=rank) for one in pairs]
    seated.sort(key=lambda one: [rank(place) for place in one])
    return [(active[a], active[b]) for a, b in seated], bye


def _forced(
    two: tuple[Player, Player], places: Mapping[Player, int], forbidden: Collection[frozenset[Player]]
) -> tuple[int, int]:
    """The places of two who shall meet, the upper one first. Raises Invalid("pairs_forced")."""
    if not places.keys() >= set(two) or len(set(two)) < 2 or frozenset(two) in forbidden:
        raise Invalid("pairs_forced", entrants=list(two))
    a, b = sorted(places[player] for player in two)
    return a, b


def _twice(pairs: Iterable[tuple[int, int]], active: Sequence[Player]) -> list[Player]:
    """Who shall meet two at once."""
    counted = Counter(place for two in pairs for place in two)
    return [active[place] for place, times in counted.items() if times > 1]


def _each_meeting(history: Iterable[Iterable[Any]]) -> Iterator[Meeting[Any]]:
    """All meetings, out of their rounds."""
    for one in map(tuple, history):
        if one and not isinstance(one[0], tuple | list):
            yield one  # a meeting that stands by itself
        else:
            yield from one


class _Edge(NamedTuple):
    """Two that could meet, as places in `active`; the place after the last is the bye.

    `cost` weighs all criteria in one whole number; no pairing of everybody that has this edge costs less than `least`.
    """

    a: int
    b: int
    cost: int
    least: int
    near: bool  # neighbours, or almost, in the order of points
    forbidden: bool = False


def _edges(
    active: Sequence[Player],
    scores: Mapping[Player, Number],
    played: Sequence[Meeting[Player]],
    forbidden: Collection[frozenset[Player]] = (),
) -> list[_Edge]:
    """Every edge there is. One unit of a criterion outweighs all that the later ones can add up to.

    Before them all comes that as few as possible are forbidden: where one is left, there is no pairing.
    """
    count = len(active)
    points = _whole([scores.get(player, 0) for player in active])
    met = Counter(frozenset(meeting[:2]) for meeting in played)
    had = [met[frozenset((player, None))] for player in active]
    lowest, spread = min(points, default=0), max(points, default=0) - min(points, default=0)

    square = count**3 + 1  # more than the folds of all pairs together
    point = square * (count * spread**2 + 1)
    bye = point * (spread + 1)
    again = bye * (max(had, default=0) + 1)
    never = again * (count * max(met.values(), default=0) + 1)

    byes = [had[a] * bye + (points[a] - lowest) * point for a in range(count)] if count % 2 else []
    best_bye = min(byes, default=0)
    rests = [points[byes.index(best_bye)]] if byes else []  # who has it, if the others can be paired as they like
    fold = _Fold(points)
    smoothest = _smoothest(points)

    near = {place: rank for rank, place in enumerate(sorted(range(count), key=points.__getitem__), start=1)}

    edges = []
    for a in range(len(byes)):
        least = byes[a] + smoothest(points[a]) * square
        edges.append(_Edge(a, count, byes[a] + fold.bye(a), least, near[a] <= NEAR))
    for a in range(count):
        for b in range(a + 1, count):
            shut = frozenset((active[a], active[b])) in forbidden
            meeting = met[frozenset((active[a], active[b]))] * again + never * shut
            squared = (points[a] - points[b]) ** 2
            least = meeting + best_bye + (squared + smoothest(points[a], points[b], *rests)) * square
            cost = meeting + squared * square + fold.pair(a, b)
            edges.append(_Edge(a, b, cost, least, abs(near[a] - near[b]) <= NEAR, shut))
    return edges


def _whole(scores: Sequence[Number]) -> list[int]:
    """The same scores in the largest unit that makes all of them whole: nothing is rounded."""
    exact = [Fraction(score) for score in scores]
    unit = lcm(*(score.denominator for score in exact))
    return [int(score * unit) for score in exact]


class _Fold:
    """How far pairs are from the fold of their score groups; squared, so that many stray a little and none far."""

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
    """What the squared differences add up to at least, once players with the given points are taken out.

    Whoever met whom, nothing is below the sum over neighbours when all stand in the order of their points.
    """
    ordered = sorted(points)
    # of the steps between neighbours that start at even places, and of those at odd ones: the squares added up
    sums = ([0], [0])
    for place, (low, high) in enumerate(pairwise(ordered)):
        for parity in (0, 1):
            sums[parity].append(sums[parity][-1] + (high - low) ** 2 * (place % 2 == parity))

    @cache
    def least(*without: int) -> int:
        gone: list[int] = []
        for number in sorted(without):
            place = bisect_left(ordered, number, lo=gone[-1] + 1 if gone else 0)
            if place == len(ordered) or ordered[place] != number:
                return 0  # nobody else has these points: nothing is known
            gone.append(place)
        total, start, single = 0, 0, None
        for stop in (*gone, len(ordered)):
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

    Matching takes longer the more edges there are, and most are in no good pairing. So it is tried with those that look
    best: no edge whose `least` is above what that costs can be in a cheaper one. More are added until this proves it.
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
            likely = bisect_right(bounded, bounded[likely - 1].least, key=_least)  # equals come together
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
    """A price for each node, so that the two of an edge never pay more than it costs, and nobody could pay more alone.

    No perfect matching costs less than all prices together. Taken off the costs of the edges they change no comparison
    between such matchings, and save most of the work.
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
    """Of the largest matchings the one of least cost."""
    import networkx  # here: every process of the site would wait a quarter of a second for it

    graph = networkx.Graph()
    for edge in edges:
        graph.add_edge(edge.a, edge.b, weight=prices[edge.a] + prices[edge.b] - edge.cost, edge=edge)
    return [graph.edges[one]["edge"] for one in networkx.max_weight_matching(graph, maxcardinality=True)]
