"""The notation of plays: one canonical form, shared by database, wire and tests, and a parser of all other forms.

Canonical: half-moves by descending start, merged through a point where nothing is hit (`24/13`), stopping where
something is (`24/18*/13`), equal ones counted (`6/off(2)`); `*` on every hit, on the last written checker
that lands there (`8/5 6/5*`). Such a text says where every checker goes and what it hits, so it names one result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from backgammon.rules.explain import TreeStep, begin, explain_half_move, explain_unfinished, follow
from backgammon.rules.half_moves import HalfMove

from .board import BAR, BLOT, CHECKER, EMPTY, HIT, OFF, STOCK, places_of
from .illegal import Illegal
from .plays import Plays

LONGEST = 200
"""No play needs a longer text."""

_NAMES = {OFF: "off", BAR: "bar", STOCK: "stock"}
_PLACES = {name: place for place, name in _NAMES.items()}
_STOP = r"(?:bar|off|stock|[0-9]{1,2})"
_ROUTE = re.compile(rf"({_STOP}(?:/{_STOP}\*?)+)(?:\(([1-4])\))?(\*?)", re.IGNORECASE | re.ASCII)


class CheckerPath(NamedTuple):
    """The way of one checker in a text: the places that it names, highest first, and those marked with `*`."""

    places: tuple[int, ...]
    starred: frozenset[int]


def parse(text: str) -> tuple[CheckerPath, ...]:
    """Parse the text of a play into paths, one for each checker. Raises `Illegal` (`unreadable`, `wrong_direction`)."""
    words = text.split() if len(text) <= LONGEST else []
    if not words:
        raise Illegal("unreadable", text=text[:LONGEST])
    paths: list[CheckerPath] = []
    for word in words:
        found = _ROUTE.fullmatch(word)
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
        paths.extend([CheckerPath(places, starred)] * int(count or 1))
    if len(paths) > 4:
        raise Illegal("unreadable", text=text)
    return tuple(paths)


def write(half_moves: Iterable[HalfMove]) -> str:
    """Format the canonical text of a play from its half-moves in any order; `pass` when there are none."""
    checkers: list[list[tuple[int, bool]]] = []
    for source, target, hit in _marked(half_moves):
        waiting = [checker for checker in checkers if checker[-1][0] == source and source != OFF]
        if waiting:
            continuing = min(waiting, key=lambda checker: (checker[-1][1], -checker[0][0]))
            continuing.append((target, hit))
        else:
            checkers.append([(source, False), (target, hit)])
    equal: dict[tuple[int, ...], tuple[int, frozenset[int]]] = {}
    for checker in checkers:
        places = tuple(place for place, _ in checker)
        count, hits = equal.get(places, (0, frozenset()))
        equal[places] = (count + 1, hits | {place for place, hit in checker if hit})
    words = []
    for places, (count, hits) in sorted(equal.items(), reverse=True):
        stops = [place for place in places[1:-1] if place in hits]
        word = "/".join(
            [name_of(places[0]), *(f"{name_of(place)}{'*' if place in hits else ''}" for place in (*stops, places[-1]))]
        )
        words.append(word + (f"({count})" if count > 1 else ""))
    return " ".join(words) or "pass"


def read(plays: Plays, text: str) -> tuple[int, str]:
    """The packed board that a text leads to, the only legal play that it fits, and its canonical text.

    Raises `Illegal` where there is no such play, or more than one.
    Hits may go unmarked. Where that leaves several results, the play with the fewest unmarked hits is chosen; a text
    that still fits two is refused as `ambiguous`.
    """
    paths = parse(text)
    straight = _straight(plays.code, paths)
    if straight in plays.results and (canonical := _text(plays, straight)) == " ".join(text.split()):
        return straight, canonical
    readings = _read(plays, paths)
    marked = frozenset[int]().union(*(checker.starred for checker in paths))
    fitting = {code: hits for code, hits in readings.items() if marked <= hits}
    if not fitting:
        if plays.unfiltered and any(marked <= hits for hits in _read(plays.unfiltered, paths).values()):
            raise Illegal("breathing_space", "H1")
        if not readings:
            raise _best_reason(plays, paths)
        missed = min(marked - frozenset.intersection(*readings.values()))
        raise Illegal("no_hit", "B6", point=missed)
    fewest = min(len(hits) for hits in fitting.values())
    matching = [code for code, hits in fitting.items() if len(hits) == fewest]
    if len(matching) > 1:
        raise Illegal("ambiguous", plays=sorted(_text(plays, code) for code in matching))
    return matching[0], _text(plays, matching[0])


def _text(plays: Plays, result: int) -> str:
    return write(plays.half_moves_to(result))


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
        for checker in parse(path) if path.strip() else ():
            step = _walk(plays, step, checker.places)
        for checker in parse(attempt):
            step = _walk(plays, step, checker.places)
    except Illegal as illegal:
        return illegal
    return None


def name_of(place: int) -> str:
    """The name of a place: `bar`, `off`, `stock`, or a point's number."""
    return _NAMES.get(place) or str(place)


def _place(stop: str) -> int:
    place = _PLACES.get(stop.lower())
    if place is None:
        place = int(stop)
    if place > STOCK:
        raise Illegal("unreadable", text=stop)
    return place


def _marked(half_moves: Iterable[HalfMove]) -> Iterator[tuple[int, int, bool]]:
    """Source, target and `*` of the half-moves by descending source; a hit is marked on the last checker to land."""
    ordered = sorted(half_moves, key=lambda half: -half.source)
    hits = {half.target for half in ordered if half.hit}
    last = {half.target: index for index, half in enumerate(ordered)}
    for index, half in enumerate(ordered):
        yield half.source, half.target, half.target in hits and last[half.target] == index


def _straight(code: int, paths: Sequence[CheckerPath]) -> int:
    """The packed board if each checker moves exactly as the text says, hitting where it marks a hit."""
    for checker in paths:
        code += CHECKER[checker.places[-1]] - CHECKER[checker.places[0]]
    return code + sum(HIT[point] for point in frozenset[int]().union(*(checker.starred for checker in paths)))


def _hits(before: int, after: int) -> frozenset[int]:
    """The points where a play has hit: a blot was there, and is no longer."""
    was, now = places_of(before), places_of(after)
    return frozenset(point for point in range(1, BAR) if was[point] == BLOT and now[point] >= EMPTY)


def _read(plays: Plays, paths: Sequence[CheckerPath]) -> dict[int, frozenset[int]]:
    """The results that the paths can lead to, each with the points where it hits."""
    routes = tuple(sorted(checker.places for checker in paths))
    return {code: _hits(plays.code, code) for code in _readings(plays, routes)}


def _readings(plays: Plays, routes: tuple[tuple[int, ...], ...]) -> set[int]:
    """The results of all walks through the tree where every checker follows a route and stops at its places."""
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


def _walk(plays: Plays, step: TreeStep, places: Sequence[int]) -> TreeStep:
    """The step after one checker moved from place to place. Raises `Illegal` where it cannot."""
    for source, target in pairwise(places):
        after = follow(plays, step, source, target)
        if after is None:
            raise explain_half_move(plays, step, source, target)
        step = after
    return step


def _best_reason(plays: Plays, paths: Sequence[CheckerPath]) -> Illegal:
    """Why the paths fit no legal play: the first half-move that is illegal, or the roll is not used up."""
    step = begin(plays)
    try:
        for checker in sorted(paths, key=lambda checker: checker.places, reverse=True):
            step = _walk(plays, step, checker.places)
    except Illegal as illegal:
        return illegal
    return explain_unfinished(plays)
