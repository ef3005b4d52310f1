"""Normalize plays as files write them to our canonical notation."""

from __future__ import annotations

import re
from itertools import pairwise

_WORD = re.compile(r"(bar|\d{1,2})((?:/(?:bar|off|\d{1,2})\*?)+)(?:\(([1-4])\))?(\*?)", re.IGNORECASE | re.ASCII)
_PLACES = {"bar": 25, "off": 0}
Route = list[int]


def normalized_play(text: str, blots: frozenset[int] = frozenset()) -> str:
    """Normalize a play to its likely canonical form: moves of one checker joined, equal ones counted, highest first.

    A landing on one of `blots` (the opponent's blots, in the mover's numbering) is a hit, marked or not. A guess that
    saves a search: a text that does not fit is returned as it is.
    """
    checkers: list[Route] = []
    starred: set[int] = set()
    for word in text.split():
        found = _WORD.fullmatch(word)
        if not found:
            return text
        stops = [found[1], *found[2].split("/")[1:]]
        places = [_PLACES.get(stop.rstrip("*").lower(), -1) for stop in stops]
        route = [int(stop.rstrip("*")) if place < 0 else place for stop, place in zip(stops, places, strict=True)]
        starred |= {place for place, stop in zip(route, stops, strict=True) if stop.endswith("*")}
        starred |= ({route[-1]} if found[4] else set()) | blots.intersection(route[1:])
        for _ in range(int(found[3] or 1)):
            _join(checkers, route)
    last = {place: min(a for checker in checkers for a, b in pairwise(checker) if b == place) for place in starred}
    words: dict[str, int] = {}
    for checker in sorted(checkers, key=lambda checker: [-place for place in checker]):
        steps = [(place, place in starred and last[place] == before) for before, place in pairwise(checker)]
        if steps[-1][1]:
            last[checker[-1]] = -1
        stops = [f"{_name(place)}*" for place, hit in steps[:-1] if hit]
        word = "/".join([_name(checker[0]), *stops, _name(checker[-1]) + "*" * steps[-1][1]])
        words[word] = words.get(word, 0) + 1
    return " ".join(f"{word}({count})" if count > 1 else word for word, count in words.items())


def _join(checkers: list[Route], route: Route) -> None:
    """Append a move to the checker that stands at its start, else to a new one."""
    checker = next((checker for checker in checkers if checker[-1] == route[0]), None)
    if checker is None:
        checkers.append(list(route))
    else:
        checker.extend(route[1:])


def _name(place: int) -> str:
    return {25: "bar", 0: "off"}.get(place) or str(place)
