"""Plays as files write them, in the form in which we write them ourselves."""

from __future__ import annotations

import re
from itertools import pairwise

_WORD = re.compile(r"(bar|\d{1,2})((?:/(?:bar|off|\d{1,2})\*?)+)(?:\(([1-4])\))?(\*?)", re.IGNORECASE | re.ASCII)
_PLACES = {"bar": 25, "off": 0}
Route = list[int]


def merged(text: str, blots: frozenset[int] = frozenset()) -> str:
    """A play as our own text would most likely be: hops of one man joined, equal ones counted, highest first.

    A landing on one of `blots` (rival men alone on a point, in the mover's numbering) is a hit, marked or not. Only a
    guess that spares the reader a search: a text that this does not fit is returned as it is.
    """
    men: list[Route] = []
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
            _join(men, route)
    last = {place: min(a for man in men for a, b in pairwise(man) if b == place) for place in starred}
    words: dict[str, int] = {}
    for man in sorted(men, key=lambda man: [-place for place in man]):
        steps = [(place, place in starred and last[place] == before) for before, place in pairwise(man)]
        if steps[-1][1]:
            last[man[-1]] = -1
        stops = [f"{_name(place)}*" for place, hit in steps[:-1] if hit]
        word = "/".join([_name(man[0]), *stops, _name(man[-1]) + "*" * steps[-1][1]])
        words[word] = words.get(word, 0) + 1
    return " ".join(f"{word}({count})" if count > 1 else word for word, count in words.items())


def _join(men: list[Route], route: Route) -> None:
    """Let a man who stands where this hop begins make it, else another one."""
    man = next((man for man in men if man[-1] == route[0]), None)
    if man is None:
        men.append(list(route))
    else:
        man.extend(route[1:])


def _name(place: int) -> str:
    return {25: "bar", 0: "off"}.get(place) or str(place)
