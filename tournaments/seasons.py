"""The table of a season: the best results of everybody in its tournaments, added up (ruling P2). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

Rule = Literal["places", "master", "wins"]
Who: TypeAlias = str  # a member's `u12`, or a name without an account, folded

USUAL = (10, 7, 5, 5, 3, 3, 3, 3)
MOST_PLACES = 64
HUNDREDTHS = 100


@dataclass(frozen=True, slots=True)
class Result:
    """What somebody did in one tournament. `sharing` have his place; `master` is in thousandths of a point."""

    who: Who
    tournament: str
    place: int
    sharing: int
    wins: int
    master: int


@dataclass(frozen=True, slots=True)
class Terms:
    """How a season counts: by places (`points` for each, `presence` for all others), by master points, or by wins.

    Only the `best` results of everybody count; 0: all of them.
    """

    rule: Rule = "places"
    points: tuple[int, ...] = USUAL
    presence: int = 1
    best: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table. `counted` are the tournaments whose `score` counts, by tournament; `total` in hundredths."""

    place: int
    who: Who
    total: int
    scores: Mapping[str, int]
    counted: frozenset[str]
    firsts: int
    wins: int

    @property
    def played(self) -> int:
        return len(self.scores)


def score(terms: Terms, result: Result) -> int:
    """What a result is worth, in hundredths of a point: who share a place share the points of their places."""
    if terms.rule == "master":
        return int(Fraction(result.master, 10) + Fraction(1, 2))
    if terms.rule == "wins":
        return result.wins * HUNDREDTHS
    given = [_at(terms, place) for place in range(result.place, result.place + result.sharing)]
    return int(Fraction(sum(given) * HUNDREDTHS, result.sharing) + Fraction(1, 2))


def _at(terms: Terms, place: int) -> int:
    return terms.points[place - 1] if place <= len(terms.points) else terms.presence


def table(terms: Terms, results: Iterable[Result]) -> list[Line]:
    """Everybody from the first to the last.

    Who is level on points is parted by more first places, then more second places and so on, then more matches won;
    whom nothing parts share the place. All of it counts every tournament of the season, not only the best.
    """
    of: dict[Who, list[Result]] = {}
    for result in results:
        of.setdefault(result.who, []).append(result)
    rows = {who: (*_counted(terms, there), there) for who, there in of.items()}
    deepest = max((one.place for there in of.values() for one in there), default=0)

    def rank(who: Who) -> tuple[float, ...]:
        total, _scores, _counted, there = rows[who]
        ends = [0] * deepest
        for one in there:
            ends[one.place - 1] += 1
        return (total, *ends, sum(one.wins for one in there))

    order = sorted(rows, key=rank, reverse=True)
    found: list[Line] = []
    for at, who in enumerate(order, 1):
        total, scores, counted, there = rows[who]
        place = found[-1].place if found and rank(order[at - 2]) == rank(who) else at
        wins = sum(one.wins for one in there)
        found.append(Line(place, who, total, scores, counted, sum(one.place == 1 for one in there), wins))
    return found


def _counted(terms: Terms, there: Sequence[Result]) -> tuple[int, dict[str, int], frozenset[str]]:
    scores = {one.tournament: score(terms, one) for one in there}
    best = sorted(scores, key=lambda one: -scores[one])[: terms.best or None]
    return sum(scores[one] for one in best), scores, frozenset(best)
