"""Brackets: a graph of pairings fed by the draw and by one another, and its resolution in one pass.

A graph is built once for a shape, row by row (a row is one round of one section, from the top). Where a row feeds
another, what is known beforehand to bring nobody is a `Bye` there, so a bracket for 5 says at once who waits for whom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

from .core import (
    Bye,
    Entrant,
    History,
    Invalid,
    Key,
    LoserOf,
    Pairing,
    Placed,
    Seed,
    Slot,
    Source,
    Standing,
    Why,
    WinnerOf,
    key_of,
    loser_slot,
    settle,
    winner_slot,
)

FEWEST, MOST = 2, 512


@dataclass(frozen=True, slots=True)
class FirstLoserOf:
    """Who lost the first match of his way: at `key`, or at `then` if he had a bye at `key`."""

    key: Key
    then: Key


Feed: TypeAlias = Source | FirstLoserOf


@dataclass(frozen=True, slots=True)
class Node:
    """A pairing to be: what feeds its two slots, and why these two meet (None: fed, told when it is known by what).

    With `only_if` it is played only if the second one (b) of that pairing won it.
    """

    section: str
    round: int
    number: int
    a: Feed
    b: Feed
    why: Why | None = None
    only_if: Key | None = None

    @property
    def key(self) -> Key:
        return key_of(self.section, self.round, self.number)

    @property
    def byes(self) -> int:
        """How many of its two sides bring nobody, whatever happens."""
        return isinstance(self.a, Bye) + isinstance(self.b, Bye)


Row: TypeAlias = tuple[Node, ...]
Graph: TypeAlias = tuple[Node, ...]  # each node after those that feed it


# Building


def row(section: str, round_: int, feeds: Sequence[Feed]) -> Row:
    """A round in which the feeds meet two by two, from the top."""
    pairs = zip(feeds[::2], feeds[1::2], strict=True)
    return tuple(Node(section, round_, number, a, b, _why(a, b)) for number, (a, b) in enumerate(pairs, 1))


def beside(ones: Sequence[Feed], others: Sequence[Feed]) -> list[Feed]:
    """The feeds of a row in which each of `ones` meets the one at his place of `others`."""
    return [feed for pair in zip(ones, others, strict=True) for feed in pair]


def onward(first: Row) -> list[Row]:
    """A row and the rounds after it, in which winners meet until one is left."""
    rows = [first]
    while len(rows[-1]) > 1:
        last = rows[-1]
        rows.append(row(last[0].section, last[0].round + 1, winners(last)))
    return rows


def graph_of(rows: Iterable[Row]) -> Graph:
    return tuple(chain.from_iterable(rows))


def winners(of: Row) -> list[Feed]:
    """Who comes out of a row, from the top."""
    return [Bye() if node.byes == 2 else WinnerOf(node.key) for node in of]


def losers(of: Row) -> list[Feed]:
    """Who loses in a row, from the top."""
    return [Bye() if node.byes else LoserOf(node.key) for node in of]


def first_losers(of: Row, then: Row) -> list[Feed]:
    """One feed a node of a row: who loses there, or who has a bye there and loses in the row after it, `then`."""
    feeds: list[Feed] = []
    for after, pair in zip(then, zip(of[::2], of[1::2], strict=True), strict=True):
        if all(node.byes == 1 for node in pair):
            feeds += [LoserOf(after.key), Bye()]
        else:
            feeds += [_first_loser(node, after) for node in pair]
    return feeds


def _first_loser(node: Node, after: Node) -> Feed:
    if node.byes == 2 or (node.byes and after.byes):
        return Bye()
    return FirstLoserOf(node.key, after.key)


def _why(a: Feed, b: Feed) -> Why | None:
    if isinstance(a, FirstLoserOf) or isinstance(b, FirstLoserOf):
        return None
    if isinstance(a, Placed) or isinstance(b, Placed):
        return Why("placed")
    if isinstance(a, Seed) or isinstance(b, Seed):
        return Why("seeded", {side: feed.n for side, feed in (("a", a), ("b", b)) if isinstance(feed, Seed)})
    return _fed(a, b)


def _fed(*sources: Source) -> Why:
    return Why("fed", {"from": tuple(source.key for source in sources if isinstance(source, WinnerOf | LoserOf))})


# Resolving

NOBODY_YET: Mapping[Placed, Slot] = MappingProxyType({})


def resolve(graph: Graph, history: History, placed: Mapping[Placed, Slot] = NOBODY_YET) -> tuple[Pairing, ...]:
    """Every pairing of a graph as far as it is known, in the order of its nodes; `placed` says who came from groups."""
    pairings: dict[Key, Pairing] = {}

    def slot(feed: Feed) -> Slot:
        match feed:
            case WinnerOf(key):
                return winner_slot(feed, pairings[key])
            case LoserOf(key):
                return loser_slot(feed, pairings[key])
            case Seed(n):
                return Slot(feed, history.order[n - 1])
            case FirstLoserOf(key, then):
                return _first_loser_slot(pairings[key], pairings[then])
            case Placed():
                return placed.get(feed, Slot(feed))
            case Bye():
                return Slot(feed, ghost=True)

    for node in graph:
        a, b = slot(node.a), slot(node.b)
        if node.only_if is not None and not _may_be_needed(pairings[node.only_if]):
            a, b = Slot(a.source, ghost=True), Slot(b.source, ghost=True)
        pairing = settle(
            section=node.section,
            round_=node.round,
            number=node.number,
            a=a,
            b=b,
            why=node.why or _fed(a.source, b.source),
            results=history.results,
            withdrawn=history.withdrawn,
        )
        pairings[pairing.key] = pairing
    return tuple(pairings.values())


def _first_loser_slot(pairing: Pairing, then: Pairing) -> Slot:
    if pairing.state != "bye":
        return loser_slot(LoserOf(pairing.key), pairing)
    slot = loser_slot(LoserOf(then.key), then)
    if slot.entrant in (None, pairing.winner):
        return slot
    return Slot(slot.source, ghost=True)


def _may_be_needed(pairing: Pairing) -> bool:
    """Whether its second one won, or may still."""
    if pairing.state in ("waiting", "ready"):
        return True
    return pairing.state == "done" and pairing.winner is not None and pairing.winner == pairing.b.entrant


# What brackets share as formats


def check_size(entrants: int) -> None:
    """Raises Invalid: too_few, too_many."""
    if entrants < FEWEST:
        raise Invalid("too_few", least=FEWEST)
    if entrants > MOST:
        raise Invalid("too_many", most=MOST)


def all_settled(pairings: Iterable[Pairing]) -> bool:
    """Whether nothing is left to play."""
    return all(pairing.state not in ("waiting", "ready") for pairing in pairings)


def places_of(main: Sequence[Pairing]) -> dict[Entrant, int]:
    """The places in a bracket, by the round in which one lost: champion 1, final 2, semi-finals 3, quarter-finals 5."""
    places: dict[Entrant, int] = {}
    for pairing in main:
        if pairing.state == "done":
            beaten = 1 << (main[-1].round - pairing.round)
            places |= {entrant: beaten + 1 for entrant in pairing.entrants if entrant != pairing.winner}
    if main[-1].winner is not None:
        places[main[-1].winner] = 1
    return places


def finish(pairings: Sequence[Pairing], places: Mapping[Entrant, int]) -> tuple[Standing, ...]:
    """The order of finish: one line for each entrant whose place is known, in the section where he came to play last.

    Who shares a place is listed by how far he came in the later sections. What was won or lost without playing counts.
    `out` is who has nothing left to play, but for those who won the last match of their section.
    """
    won: Counter[Entrant] = Counter()
    lost: Counter[Entrant] = Counter()
    last: dict[Entrant, dict[str, Pairing]] = {}
    ends: dict[str, Pairing] = {}
    for pairing in pairings:
        if pairing.state != "void":
            ends[pairing.section] = pairing
        for entrant in pairing.entrants:
            last.setdefault(entrant, {})[pairing.section] = pairing
            if pairing.state == "done":
                (won if entrant == pairing.winner else lost)[entrant] += 1

    def depth(entrant: Entrant) -> list[int]:
        came_to = (last[entrant].get(section) for section in ends)
        return [-(2 * at.round + (at.winner == entrant)) if at else 0 for at in came_to]

    def line(entrant: Entrant) -> Standing:
        section, at = list(last[entrant].items())[-1]
        stays = at.state in ("waiting", "ready") or (at is ends[section] and at.winner == entrant)
        wins, losses = won[entrant], lost[entrant]
        note = "" if stays else "out"
        return Standing(places[entrant], entrant, section, wins + losses, wins, losses, note=note)

    return tuple(line(entrant) for entrant in sorted(places, key=lambda one: (places[one], *depth(one))))
