"""Brackets played to their end, and written so that a test can show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tournaments.formats import bracket
from tournaments.formats.bracket import Graph, Node
from tournaments.formats.core import (
    Bye,
    Config,
    Entrant,
    Format,
    History,
    Key,
    LoserOf,
    Pairing,
    Result,
    Seed,
    Slot,
    Source,
    WinnerOf,
)
from tournaments.formats.resolve import resolve_pairing

OPEN = ("waiting", "ready")


def history(
    entrants: int, results: dict[Key, Entrant | None] | None = None, withdrawn: Sequence[Entrant] = ()
) -> History:
    """The draw 1, 2, 3 ..., with the winners of some pairings (None: a double walkover) and who withdrew."""
    won = {key: Result(winner) for key, winner in (results or {}).items()}
    return History(tuple(range(1, entrants + 1)), won, withdrawn=frozenset(withdrawn))


def written(pairings: Sequence[Pairing]) -> list[str]:
    """The sources of the slots: `main-2-1: W main-1-1, W main-1-2`."""
    return [f"{pairing.key}: {_source(pairing.a.source)}, {_source(pairing.b.source)}" for pairing in pairings]


def filled(pairings: Sequence[Pairing]) -> list[str]:
    """The entrants of the slots: `main-2-1 ready: 1, 4`; `-` is an empty slot and `?` an unknown entrant."""
    return [
        f"{pairing.key} {pairing.state}: {_entrant_text(pairing.a)}, {_entrant_text(pairing.b)}" for pairing in pairings
    ]


def _source(source: Source) -> str:
    match source:
        case Seed(n):
            return str(n)
        case WinnerOf(key):
            return f"W {key}"
        case LoserOf(key):
            return f"L {key}"
        case Bye():
            return "-"
    raise AssertionError(source)


def _entrant_text(slot: Slot) -> str:
    return "-" if slot.is_empty else str(slot.entrant or "?")


def played(
    format_: Format, config: Config, entrants: int, *, chance: Random, leaving: float = 0, double_walkovers: float = 0
) -> Iterator[tuple[History, tuple[Pairing, ...]]]:
    """Every state of a tournament in which all that can be played is played at once, by chance, until nothing is left.

    `leaving` is the probability that an entrant withdraws between two states, `double_walkovers` that a pairing ends
    in a double walkover.
    """
    now = History(tuple(chance.sample(range(1, entrants + 1), entrants)))
    while True:
        pairings = format_.pairings(config, now)
        yield now, pairings
        if not any(pairing.state in OPEN for pairing in pairings):
            return
        ready = [pairing for pairing in pairings if pairing.state == "ready"]
        assert ready, "somebody waits for ever"
        results = {
            pairing.key: Result(None if chance.random() < double_walkovers else chance.choice(pairing.entrants))
            for pairing in ready
        }
        withdrawn = {entrant for entrant in now.order if leaving and chance.random() < leaving}
        now = History(now.order, {**now.results, **results}, withdrawn=now.withdrawn | withdrawn)


def ended(format_: Format, config: Config, entrants: int, *, chance: Random) -> History:
    """A tournament whose pairings were all decided by chance, each as soon as both were known: quick, in one pass."""
    results: dict[Key, Result] = {}

    def decided(**pairing: Any) -> Pairing:
        found = resolve_pairing(**pairing)
        if found.state == "ready":
            results[found.key] = Result(chance.choice(found.entrants))
            found = resolve_pairing(**pairing | {"results": results})
        return found

    order = tuple(chance.sample(range(1, entrants + 1), entrants))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(bracket, "resolve_pairing", decided)
        format_.pairings(config, History(order))
    return History(order, results)


def earlier_state(now: History, *, chance: Random) -> History:
    """An earlier state of a tournament: without some of its results, so also without those that followed from them."""
    kept = chance.random()
    return replace(now, results={key: result for key, result in now.results.items() if chance.random() < kept})


def shuffled(now: History, *, chance: Random) -> History:
    """The same, written down anew with its results in another order."""
    return replace(now, results=dict(chance.sample(sorted(now.results.items()), len(now.results))))


def settled(pairings: Sequence[Pairing]) -> dict[Key, tuple[object, ...]]:
    """What is settled, and how."""
    return {
        pairing.key: (pairing.state, pairing.entrants, pairing.winner)
        for pairing in pairings
        if pairing.state not in OPEN
    }


def most_open_pairings(pairings: Sequence[Pairing]) -> int:
    """The greatest number of open pairings that an entrant has."""
    busy = Counter(entrant for pairing in pairings if pairing.state in OPEN for entrant in pairing.entrants)
    return max(busy.values(), default=0)


def losses(pairings: Sequence[Pairing]) -> Counter[Entrant]:
    return Counter(
        entrant
        for pairing in pairings
        if pairing.state == "done"
        for entrant in pairing.entrants
        if entrant != pairing.winner
    )


def met(pairings: Sequence[Pairing]) -> Counter[frozenset[Entrant]]:
    """How often each two have played."""
    return Counter(frozenset(pairing.entrants) for pairing in pairings if pairing.state == "done")


def earliest_rematch(graph: Graph, section: str) -> int | None:
    """The first round of a section in which two who met in the main bracket can meet again, whatever the results."""
    main = [node for node in graph if node.section == "main"]
    leads_to: dict[Source, Node] = {}
    for node in graph:
        if node.section == section or node.section == "main":
            leads_to |= {feed: node for feed in (node.a, node.b) if isinstance(feed, WinnerOf | LoserOf)}

    def path(source: Source) -> list[Node]:
        nodes = []
        while node := leads_to.get(source):
            nodes.append(node)
            source = WinnerOf(node.key)
        return nodes

    def meeting(earlier: Node, later: Node) -> int | None:
        nodes = {node.key for node in path(LoserOf(later.key))}
        return next((node.round for node in path(LoserOf(earlier.key)) if node.key in nodes), None)

    rounds = [meeting(earlier, later) for earlier in main for later in path(WinnerOf(earlier.key))]
    return min((round_ for round_ in rounds if round_ is not None), default=None)
