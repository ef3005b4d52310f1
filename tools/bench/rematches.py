"""Rematches in double elimination: ``python -m tools.bench.rematches [--draws 20000] [--search 64]``.

For each size of a bracket: the expected number of matches of the losers' bracket between two entrants who have met
before, if all are equally strong. It is computed exactly, and checked by simulated tournaments from a fixed seed, with
the standard error. `--search` goes through every route (`tournaments.formats.double.ROUTES`) of a size and prints the
best ones: up to 64 seats in a second, 256 in some minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import fmean, stdev

from tournaments.formats.bracket import Feed, Graph, Node
from tournaments.formats.core import Bye, Config, Key, LoserOf, WinnerOf
from tournaments.formats.double import ROUTES, graph

SEED = 1
DRAWS = 20_000
TARGETS = {16: 0.82, 32: 0.75, 64: 0.80, 128: 0.85}
"""What a bracket of each size may reach at most."""


def main() -> None:
    """Print one line a size, or the best routes of one."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--draws", type=int, default=DRAWS, help="simulated tournaments a size; 0: none")
    arguments.add_argument("--search", type=int, choices=list(ROUTES), help="search the best routes of this size")
    chosen = arguments.parse_args()
    if chosen.search:
        for routes in best_routes(chosen.search):
            print(f"{chosen.search:4d} seats  {float(rematches_of_routes(routes)):.6f}  {routes}")
        return
    for size, routes in ROUTES.items():
        line = f"{size:4d} seats  exact {float(expected_rematches(graph(Config('double'), size))):.6f}"
        if chosen.draws and size <= max(TARGETS):
            mean, error = simulated_rematches(graph(Config("double"), size), chosen.draws, Random(SEED))
            line += f"  simulated {mean:.4f} +- {error:.4f}"
        target = f"  target {TARGETS[size]:.2f}" if size in TARGETS else ""
        print(f"{line}{target}  routes {routes}")


def expected_rematches(double: Graph) -> Fraction:
    """The expected number of rematches in the losers' bracket, with any byes.

    Two entrants meet again if the winner of their match loses later in the main bracket, and both win all matches from
    where they come into the losers' bracket to where their ways join. All these are different matches, each a coin.
    """
    nodes = {node.key: node for node in double if node.section != "final"}
    feeding = {feed: node for node in nodes.values() for feed in (node.a, node.b)}
    found = Fraction(0)
    for met in nodes.values():
        if met.section != "main" or met.byes:
            continue
        loser = dict(_way(LoserOf(met.key), feeding))
        for lost, before in _way(WinnerOf(met.key), feeding):
            if nodes[lost].section == "main" and not nodes[lost].byes:
                winner = _way(LoserOf(lost), feeding)
                again = next((loser[key] + won for key, won in winner if key in loser), None)
                if again is not None:
                    found += Fraction(1, 2 ** (before + 1 + again))
    return found


def _way(feed: Feed, feeding: dict[Feed, Node]) -> Iterator[tuple[Key, int]]:
    """The pairings of an entrant who wins, each with the number of matches won before it."""
    won = 0
    while node := feeding.get(feed):
        yield node.key, won
        won += not node.byes
        feed = WinnerOf(node.key)


def simulated_rematches(double: Graph, draws: int, chance: Random) -> tuple[float, float]:
    """The mean number of rematches in the losers' bracket, and its standard error."""
    counts = [float(_rematches(double, chance)) for _ in range(draws)]
    return fmean(counts), stdev(counts) / sqrt(draws)


def _rematches(double: Graph, chance: Random) -> int:
    came: dict[Feed, Feed | None] = {Bye(): None}
    met: set[tuple[Feed, Feed]] = set()
    rematches = 0
    for node in double:
        if node.section == "final":
            break
        entrants = [came.get(node.a, node.a), came.get(node.b, node.b)]
        if chance.random() < 0.5:
            entrants.reverse()
        winner, loser = entrants
        if winner is None:
            winner, loser = loser, winner
        if winner is not None and loser is not None:
            rematches += (winner, loser) in met or (loser, winner) in met
            met.add((winner, loser))
        came[WinnerOf(node.key)], came[LoserOf(node.key)] = winner, loser
    return rematches


def rematches_of_routes(routes: Sequence[int]) -> Fraction:
    """`expected_rematches` of a full bracket with these routes."""
    return sum((_of_last_round(routes[:until], len(routes) + 1) for until in range(1, len(routes) + 1)), Fraction(0))


def _of_last_round(routes: Sequence[int], rounds: int) -> Fraction:
    """The share in it of entrants who come in with the last of the routes and have beaten one who came in before.

    Where the ways of two join depends on their places there by the highest bit that differs only, and that is the same
    for all who lost in the same two rounds.
    """
    *earlier, route = routes
    last = len(routes) + 1
    found = Fraction(0)
    for round_, before in enumerate([0, *earlier], 1):
        gap = last - round_
        apart = (before >> gap) ^ route
        wins = max(0, 2 * apart.bit_length() - 1)  # of each, from the round in which the later one comes in
        come_in = 2 * gap - (round_ == 1)  # the rounds that the earlier one has won by then
        found += Fraction(2 ** (rounds - round_), 2 ** (gap + come_in + 2 * wins))
    return found


def best_routes(size: int) -> list[tuple[int, ...]]:
    """All routes of a size with the fewest expected rematches."""
    rounds = size.bit_length() - 1
    least = rematches_of_routes(ROUTES[size])
    best: list[tuple[int, ...]] = []

    def extend(routes: tuple[int, ...], rematches: Fraction) -> None:
        nonlocal least
        if rematches > least:
            return
        if len(routes) == rounds - 1:
            if rematches < least:
                least = rematches
                best.clear()
            best.append(routes)
            return
        for route in range(2 ** (rounds - 2 - len(routes))):
            extend((*routes, route), rematches + _of_last_round((*routes, route), rounds))

    extend((), Fraction(0))
    return best


if __name__ == "__main__":
    main()
