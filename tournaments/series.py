"""Series: a pairing that is decided by the best of 3, 5 or 7 matches (ruling E24). Pure.

A format pairs entrants as ever, and sees one result for each fixture: its winner, and how many matches each won. The
matches of a series are the pairings that are played, one after another: the next one exists when the one before has its
result, and none after the series is decided. A fixture can also have a result of its own: a score or a walkover that
was entered for the whole series, or a withdrawal. Then it is a pairing itself, beside the matches that were played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tournaments.formats.core import (
    Entrant,
    Key,
    Pairing,
    PairingReason,
    Result,
    ResultKey,
    result_of,
    set_result,
)
from tournaments.part_keys import PART, fixture_key, part_key, part_number, section_and_round

LENGTHS = (3, 5, 7)  # how many matches a series can have at most
BRACKET, FINALS = "main", ("final", "third")  # of a bracket, only the main one has series, and what decides its places

Results: TypeAlias = Mapping[ResultKey, Result]


def wins_needed(best_of: int) -> int:
    """How many matches win a series."""
    return best_of // 2 + 1


@dataclass(frozen=True, slots=True)
class Series:
    """Which pairings of a tournament are series of `best_of` matches; 1: none.

    Of a bracket with `rounds` they are those of its `last` rounds with the final (0: all of them); `has_final` says
    that the winner of the main bracket plays a final after it. Without a bracket (`rounds` 0) all pairings are series.
    """

    best_of: int = 1
    last: int = 0
    rounds: int = 0
    has_final: bool = False

    def __bool__(self) -> bool:
        return self.best_of > 1

    def length(self, section: str, round_: int) -> int:
        """Of how many matches the pairings of a round are the best; 1: they are single matches."""
        return self.best_of if self and self._has_series(section, round_) else 1

    def _has_series(self, section: str, round_: int) -> bool:
        if not self.rounds:
            return True
        if section in FINALS:
            return True
        if section != BRACKET:
            return not self.last and section.startswith("group-")
        rounds_left = self.rounds - round_ + 1 + self.has_final  # with this one
        return not self.last or rounds_left <= self.last

    def length_of(self, pairing: Pairing) -> int:
        """Of how many matches a pairing is the best: 1 for a single match, and for a match of a series."""
        return 1 if part_number(pairing.key) else self.length(pairing.section, pairing.round)

    def score(self, fixture: Pairing, results: Results) -> tuple[int, int]:
        """How many matches each of the two has won so far."""
        wins, _outcome = self._count(fixture, results)
        return wins

    def pairings(self, fixtures: Iterable[Pairing], results: Results) -> tuple[Pairing, ...]:
        """The pairings that are played: single matches, the matches of each series, and series with a result of their
        own.
        """
        return tuple(pairing for fixture in fixtures for pairing in self._parts(fixture, results))

    def fixture_results(self, results: Results) -> dict[ResultKey, Result]:
        """These results, with those of the series that their matches decide."""
        found = dict(results)
        for key in results:
            if isinstance(key, tuple) and PART in key[0]:
                fixture, a, b = fixture_key(key[0]), key[1], key[2]
                length = self.length(*section_and_round(fixture))
                if length > 1 and result_of(results, fixture, a, b) is None:
                    _wins, outcome = _counted(_results(fixture, a, b, length, results), a, b, length)
                    if outcome is not None:
                        set_result(found, fixture, a, b, outcome)
        return found

    def _count(self, fixture: Pairing, results: Results) -> tuple[tuple[int, int], Result | None]:
        length = self.length_of(fixture)
        if length == 1 or len(fixture.entrants) < 2:
            return (0, 0), None
        a, b = fixture.entrants
        return _counted(_results(fixture.key, a, b, length, results), a, b, length)

    def _parts(self, fixture: Pairing, results: Results) -> list[Pairing]:
        length = self.length_of(fixture)
        if length == 1 or len(fixture.entrants) < 2 or fixture.state not in ("ready", "done"):
            return [fixture]
        a, b = fixture.entrants
        known = _results(fixture.key, a, b, length, results)
        is_entered = fixture.state == "done" and (
            result_of(results, fixture.key, a, b) is not None or self._count(fixture, results)[1] is None
        )
        if fixture.state == "ready":
            next_one = next(number for number, result in enumerate(known, 1) if result is None)
            shown = [number for number, result in enumerate(known, 1) if result is not None or number == next_one]
        else:
            decisive = length if is_entered else _decisive(known, a, b, length)
            shown = [number for number, result in enumerate(known, 1) if result is not None and number <= decisive]
        matches = [_match(fixture, number, length, known[number - 1]) for number in shown]
        return [*matches, fixture] if is_entered else matches


def _results(fixture: Key, a: Entrant, b: Entrant, length: int, results: Results) -> list[Result | None]:
    """The result of each match of a series, a's points first; None for those without one."""
    return [result_of(results, part_key(fixture, number), a, b) for number in range(1, length + 1)]


def _counted(
    known: Sequence[Result | None], a: Entrant, b: Entrant, length: int
) -> tuple[tuple[int, int], Result | None]:
    """The score of a series, and its result if its matches decide it: those up to the first one without a result.

    A match that both lose is lost by both with the series.
    """
    wins = {a: 0, b: 0}
    played = False
    for result in known:
        if result is None:
            break
        played |= result.how == "played"
        if result.winner is None:
            return (wins[a], wins[b]), Result(None, how="walkover")
        wins[result.winner] += 1
        if wins[result.winner] == wins_needed(length):
            points = (float(wins[a]), float(wins[b]))
            if played:
                return (wins[a], wins[b]), Result(result.winner, points)
            return (wins[a], wins[b]), Result(result.winner, how="walkover", loser_present=result.loser_present)
    return (wins[a], wins[b]), None


def _decisive(known: Sequence[Result | None], a: Entrant, b: Entrant, length: int) -> int:
    """The number of the match that decides a series."""
    return next(number for number in range(1, length + 1) if _counted(known[:number], a, b, length)[1] is not None)


def _match(fixture: Pairing, number: int, length: int, result: Result | None) -> Pairing:
    return replace(
        fixture,
        key=part_key(fixture.key, number),
        state="done" if result is not None else "ready",
        why=PairingReason("series", {"match": number, "best_of": length}),
        result=result,
    )
