"""The text of a play: one canonical form, shared by database, wire and tests, and a reader of every other form.

Canonical: half-moves by descending start, merged through a point where nothing is hit (`24/13`), stopping where
something is (`24/18*/13`), equal ones counted (`6/off(2)`); `*` on every hit, on the last written of the men who land
there (`8/5 6/5*`). Such a text says where every man goes and whom he hits, so it names exactly one result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from .board import BAR, BLOT, EMPTY, HIT, MAN, OFF, STOCK, places_of
from .halfmoves import HalfMove
from .illegal import Illegal
from .plays import Plays
from .why import Step, begin, follow, reason, unfinished

LONGEST = 200
"""No play needs a longer text."""

_NAMES = {OFF: "off", BAR: "bar", STOCK: "stock"}
_PLACES = {name: place for place, name in _NAMES.items()}
_STOP = r"(?:bar|off|stock|[0-9]{1,2})"
_HOP = re.compile(rf"({_STOP}(?:/{_STOP}\*?)+)(?:\(([1-4])\))?(\*?)", re.IGNORECASE | re.ASCII)


class Hop(NamedTuple):
    """What one man does in a text: the places that it names, highest first, and those marked with `*`."""

    places: tuple[int, ...]
    starred: frozenset[int]


def parse(text: str) -> tuple[Hop, ...]:
    """The hops of a play's text, one for each man. Raises `Illegal` (`unreadable`, `wrong_direction`)."""
    words = text.split() if len(text) <= LONGEST else []
    if not words:
        raise Illegal("unreadable", text=text[:LONGEST])
    hops: list[Hop] = []
    for word in words:
        found = _HOP.fullmatch(word)
        if not found:
            raise Illegal("unreadable", text=word)
        route, count, star = found.groups()
        stops = route.split("/")
        if star:
            stops[-1] = stops[-1].rstrip("*") + star
        places = tuple(_place(stop.rstrip("*")) for stop in stops)
        for source, target in pairwise(places):
            if target >= source or target >= BAR:
                raise Illegal("wrong_direction", "B1", source=source, target=target)
        starred = frozenset(place for stop, place in zip(stops, places, strict=True) if stop.endswith("*"))
        hops.extend([Hop(places, starred)] * int(count or 1))
    if len(hops) > 4:
        raise Illegal("unreadable", text=text)
    return tuple(hops)


def write(way: Iterable[HalfMove]) -> str:
    """The canonical text of a play, from its half-moves in any order; `pass` when there are none."""
    men: list[list[tuple[int, bool]]] = []
    for source, target, hit in _marked(way):
        waiting = [man for man in men if man[-1][0] == source and source != OFF]
        if waiting:
            goes_on = min(waiting, key=lambda man: (man[-1][1], -man[0][0]))
            goes_on.append((target, hit))
        else:
            men.append([(source, False), (target, hit)])
    equal: dict[tuple[int, ...], tuple[int, frozenset[int]]] = {}
    for man in men:
        places = tuple(place for place, _ in man)
        count, hits = equal.get(places, (0, frozenset()))
        equal[places] = (count + 1, hits | {place for place, hit in man if hit})
    words = []
    for places, (count, hits) in sorted(equal.items(), key=lambda item: item[0], reverse=True):
        stops = [place for place in places[1:-1] if place in hits]
        word = "/".join(
            [name_of(places[0]), *(f"{name_of(place)}{'*' if place in hits else ''}" for place in (*stops, places[-1]))]
        )
        words.append(word + (f"({count})" if count > 1 else ""))
    return " ".join(words) or "pass"


def read(plays: Plays, text: str) -> int:
    """The packed board that a text means: the one legal play that it can be read as. Raises `Illegal` otherwise.

    Hits may go unmarked. Where that leaves more than one result, the play that hits nobody unnamed is meant; a text
    that still fits two is refused as `ambiguous`.
    """
    hops = parse(text)
    straight = _straight(plays.code, hops)
    if straight in plays.results and write(plays.way(straight)) == " ".join(text.split()):
        return straight
    readings = _read(plays, hops)
    marked = frozenset[int]().union(*(hop.starred for hop in hops))
    fitting = {code: hits for code, hits in readings.items() if marked <= hits}
    if not fitting:
        if plays.unfiltered and any(marked <= hits for hits in _read(plays.unfiltered, hops).values()):
            raise Illegal("breathing_space", "H1")
        if not readings:
            raise _best_reason(plays, hops)
        nobody = min(marked - frozenset.intersection(*readings.values()))
        raise Illegal("no_hit", "B6", point=nobody)
    fewest = min(len(hits) for hits in fitting.values())
    meant = [code for code, hits in fitting.items() if len(hits) == fewest]
    if len(meant) > 1:
        raise Illegal("ambiguous", plays=sorted(write(plays.way(code)) for code in meant))
    return meant[0]


def why(plays: Plays, path: str, attempt: str) -> Illegal | None:
    """Why one more half-move is illegal after those of `path`, or None if it is legal."""
    illegal = _refusal(plays, path, attempt)
    if illegal and plays.unfiltered and _refusal(plays.unfiltered, path, attempt) is None:
        return Illegal("breathing_space", "H1")
    return illegal


def _refusal(plays: Plays, path: str, attempt: str) -> Illegal | None:
    """Why the half-moves of `path` and one more cannot be made one after another, or None if they can."""
    try:
        step = begin(plays)
        for hop in parse(path) if path.strip() else ():
            step = _walk(plays, step, hop.places)
        for hop in parse(attempt):
            step = _walk(plays, step, hop.places)
    except Illegal as illegal:
        return illegal
    return None


def name_of(place: int) -> str:
    """The word for a place: `bar`, `off`, `stock`, or a point's number."""
    return _NAMES.get(place) or str(place)


def _place(stop: str) -> int:
    place = _PLACES.get(stop.lower())
    if place is None:
        place = int(stop)
    if place > STOCK:
        raise Illegal("unreadable", text=stop)
    return place


def _marked(way: Iterable[HalfMove]) -> Iterator[tuple[int, int, bool]]:
    """Source, target and `*` of the half-moves by descending source; a hit is marked on the last man to land."""
    ordered = sorted(way, key=lambda half: -half.source)
    hits = {half.target for half in ordered if half.hit}
    last = {half.target: index for index, half in enumerate(ordered)}
    for index, half in enumerate(ordered):
        yield half.source, half.target, half.target in hits and last[half.target] == index


def _straight(code: int, hops: Sequence[Hop]) -> int:
    """The packed board if each man simply went where the text says, hitting where it says so."""
    for hop in hops:
        code += MAN[hop.places[-1]] - MAN[hop.places[0]]
    return code + sum(HIT[point] for point in frozenset[int]().union(*(hop.starred for hop in hops)))


def _hits(before: int, after: int) -> frozenset[int]:
    """The points where a play has hit: a blot was there, and is no longer."""
    was, now = places_of(before), places_of(after)
    return frozenset(point for point in range(1, BAR) if was[point] == BLOT and now[point] >= EMPTY)


def _read(plays: Plays, hops: Sequence[Hop]) -> dict[int, frozenset[int]]:
    """The results that hops can be read as, each with the points where it hits."""
    routes = tuple(sorted(hop.places for hop in hops))
    return {code: _hits(plays.code, code) for code in _readings(plays, routes)}


def _readings(plays: Plays, routes: tuple[tuple[int, ...], ...]) -> set[int]:
    """The results of all walks through the tree in which every man makes one of the routes, stopping where it says."""
    results: set[int] = set()
    seen: set[tuple[int, tuple[tuple[int, ...], ...]]] = set()
    waiting = [(0, routes)] if plays.numbers else []
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        number, pending = state
        for half, node, code in plays.tree[number]:
            for index, route in enumerate(pending):
                if route[0] != half.source or half.target < route[1] or route in pending[:index]:
                    continue
                rest = route[1:] if half.target == route[1] else (half.target, *route[1:])
                others = pending[:index] + pending[index + 1 :]
                now = others if len(rest) == 1 else tuple(sorted((*others, rest)))
                if node >= 0:
                    waiting.append((node, now))
                elif not now:
                    results.add(code)
    return results


def _walk(plays: Plays, step: Step, places: Sequence[int]) -> Step:
    """The step after one man has gone from place to place. Raises `Illegal` where he cannot."""
    for source, target in pairwise(places):
        after = follow(plays, step, source, target)
        if after is None:
            raise reason(plays, step, source, target)
        step = after
    return step


def _best_reason(plays: Plays, hops: Sequence[Hop]) -> Illegal:
    """Why no legal play can be read from the hops: the first one that cannot be made, or the roll is not used up."""
    step = begin(plays)
    try:
        for hop in sorted(hops, key=lambda hop: hop.places, reverse=True):
            step = _walk(plays, step, hop.places)
    except Illegal as illegal:
        return illegal
    return unfinished(plays)
