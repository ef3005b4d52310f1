"""Brackets: a graph of pairings fed by the draw and by one another, and its resolution in one pass.

A graph is built once for a shape, row by row (a row is one round of one section, from the top). Where a row feeds
another, slots that are known to stay empty are a `Bye` there, so a bracket for 5 shows at once who waits for whom.
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
    PairingReason,
    Placed,
    Seed,
    Slot,
    Source,
    Standing,
    WinnerOf,
)
from .resolve import loser_slot, pairing_key, resolve_pairing, winner_slot

FEWEST, MOST = 2, 512
CONSOLATION, LAST_CHANCE, THIRD_PLACE = "consolation", "last", "third"
OPTIONAL_SECTIONS = frozenset({CONSOLATION, LAST_CHANCE})  # the loser of a walkover goes there only if present


@dataclass(frozen=True, slots=True)
class FirstLoserOf:
    """The entrant who lost their first match: at `key`, or at `then` after a bye at `key`."""

    key: Key
    then: Key


Feed: TypeAlias = Source | FirstLoserOf


@dataclass(frozen=True, slots=True)
class Node:
    """A pairing of the graph: what feeds its two slots, and why they meet (None: they are fed, by what is found later).

    With `only_if` it is played only if entrant b of that pairing won it.
    """

    section: str
    round: int
    number: int
    a: Feed
    b: Feed
    why: PairingReason | None = None
    only_if: Key | None = None

    @property
    def key(self) -> Key:
        return pairing_key(self.section, self.round, self.number)

    @property
    def byes(self) -> int:
        """How many of its two slots are always empty."""
        return isinstance(self.a, Bye) + isinstance(self.b, Bye)


Row: TypeAlias = tuple[Node, ...]
Graph: TypeAlias = tuple[Node, ...]  # each node after those that feed it


# Building


def row(section: str, round_: int, feeds: Sequence[Feed]) -> Row:
    """A round in which neighbouring feeds meet, from the top."""
    pairs = zip(feeds[::2], feeds[1::2], strict=True)
    return tuple(Node(section, round_, number, a, b, _why(a, b)) for number, (a, b) in enumerate(pairs, 1))


def interleave(first: Sequence[Feed], second: Sequence[Feed]) -> list[Feed]:
    """The feeds of a row in which each feed of `first` meets the one at the same place of `second`."""
    return [feed for pair in zip(first, second, strict=True) for feed in pair]


def rows_to_final(first: Row) -> list[Row]:
    """A row and the rounds after it, in which winners meet until one is left."""
    rows = [first]
    while len(rows[-1]) > 1:
        last = rows[-1]
        rows.append(row(last[0].section, last[0].round + 1, winners(last)))
    return rows


def graph_of(rows: Iterable[Row]) -> Graph:
    return tuple(chain.from_iterable(rows))


def winners(of: Row) -> list[Feed]:
    """The winners of a row, from the top."""
    return [Bye() if node.byes == 2 else WinnerOf(node.key) for node in of]


def losers(of: Row) -> list[Feed]:
    """The losers of a row, from the top."""
    return [Bye() if node.byes else LoserOf(node.key) for node in of]


def first_losers(of: Row, then: Row) -> list[Feed]:
    """The first loser of each node of a row: its loser, or after a bye the loser in the next row, `then`."""
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


def _why(a: Feed, b: Feed) -> PairingReason | None:
    if isinstance(a, FirstLoserOf) or isinstance(b, FirstLoserOf):
        return None
    if isinstance(a, Placed) or isinstance(b, Placed):
        return PairingReason("placed")
    if isinstance(a, Seed) or isinstance(b, Seed):
        return PairingReason("seeded", {side: feed.n for side, feed in (("a", a), ("b", b)) if isinstance(feed, Seed)})
    return _fed(a, b)


def _fed(*sources: Source) -> PairingReason:
    return PairingReason(
        "fed", {"from": tuple(source.key for source in sources if isinstance(source, WinnerOf | LoserOf))}
    )


# Resolving

NONE_PLACED: Mapping[Placed, Slot] = MappingProxyType({})


def resolve(graph: Graph, history: History, placed: Mapping[Placed, Slot] = NONE_PLACED) -> tuple[Pairing, ...]:
    """Every pairing of a graph as far as known, in the order of its nodes; `placed` are the entrants from groups."""
    pairings: dict[Key, Pairing] = {}

    def slot(feed: Feed, *, if_present: bool) -> Slot:
        match feed:
            case WinnerOf(key):
                return winner_slot(feed, pairings[key])
            case LoserOf(key):
                return loser_slot(feed, pairings[key], if_present=if_present)
            case Seed(n):
                return Slot(feed, history.order[n - 1])
            case FirstLoserOf(key, then):
                return _first_loser_slot(pairings[key], pairings[then], if_present=if_present)
            case Placed():
                return placed.get(feed, Slot(feed))
            case Bye():
                return Slot(feed, is_empty=True)

    for node in graph:
        a, b = (slot(feed, if_present=node.section in OPTIONAL_SECTIONS) for feed in (node.a, node.b))
        if node.only_if is not None and not _may_be_needed(pairings[node.only_if]):
            a, b = Slot(a.source, is_empty=True), Slot(b.source, is_empty=True)
        pairing = resolve_pairing(
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


def _first_loser_slot(pairing: Pairing, then: Pairing, *, if_present: bool) -> Slot:
    if pairing.state != "bye":
        return loser_slot(LoserOf(pairing.key), pairing, if_present=if_present)
    slot = loser_slot(LoserOf(then.key), then, if_present=if_present)
    if slot.entrant in (None, pairing.winner):
        return slot
    return Slot(slot.source, is_empty=True)


def _may_be_needed(pairing: Pairing) -> bool:
    """Whether entrant b won, or may still win."""
    if pairing.state in ("waiting", "ready"):
        return True
    return pairing.state == "done" and pairing.winner is not None and pairing.winner == pairing.b.entrant


# Shared by bracket formats


def check_size(entrants: int) -> None:
    """Raises Invalid: too_few, too_many."""
    if entrants < FEWEST:
        raise Invalid("too_few", least=FEWEST)
    if entrants > MOST:
        raise Invalid("too_many", most=MOST)


def all_settled(pairings: Iterable[Pairing]) -> bool:
    """Whether nothing is left to play."""
    return all(pairing.state not in ("waiting", "ready") for pairing in pairings)


def bracket_places(main: Sequence[Pairing], third: Pairing | None = None) -> dict[Entrant, int]:
    """The places in a bracket, by the round of the loss: champion 1, final 2, semi-finals 3, quarter-finals 5.

    The loser of the third-place match, if there is one, is fourth.
    """
    places: dict[Entrant, int] = {}
    for pairing in main:
        if pairing.state == "done":
            ahead = 1 << (main[-1].round - pairing.round)
            places |= {entrant: ahead + 1 for entrant in pairing.entrants if entrant != pairing.winner}
    if main[-1].winner is not None:
        places[main[-1].winner] = 1
    if third is not None and third.loser is not None:
        places[third.loser] = 4
    return places


def finishing_order(pairings: Sequence[Pairing], places: Mapping[Entrant, int]) -> tuple[Standing, ...]:
    """The order of finish: a line for each entrant whose place is known, in the last section that they played in.

    Entrants who share a place are listed by how far they came in the later sections. Wins and losses without playing
    count. `out` are those who have nothing left to play, except the winner of the last match of a section.
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
        reached = (last[entrant].get(section) for section in ends)
        return [-(2 * pairing.round + (pairing.winner == entrant)) if pairing else 0 for pairing in reached]

    def line(entrant: Entrant) -> Standing:
        section, pairing = list(last[entrant].items())[-1]
        unfinished = pairing.state in ("waiting", "ready")
        stays = unfinished or (pairing is ends[section] and pairing.winner == entrant)
        wins, losses = won[entrant], lost[entrant]
        note = "" if stays else "out"
        return Standing(places[entrant], entrant, section, wins + losses, wins, losses, note=note)

    return tuple(line(entrant) for entrant in sorted(places, key=lambda each: (places[each], *depth(each))))
