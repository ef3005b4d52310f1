"""The table of a season: the best results of everybody in its tournaments, added up (ruling P2). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

Rule = Literal["places", "master", "wins"]
PlayerKey: TypeAlias = str  # a member's `u12`, or a name without an account, folded

DEFAULT_POINTS = (10, 7, 5, 5, 3, 3, 3, 3)
MOST_PLACES = 64
HUNDREDTHS = 100


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """The result of a player in a tournament. `sharing` have the same place; `master` is in thousandths of a point."""

    player: PlayerKey
    tournament: str
    place: int
    sharing: int
    wins: int
    master: int


@dataclass(frozen=True, slots=True)
class SeasonTerms:
    """How a season counts: by places (`points` by place, `presence` for later ones), by master points, or by wins.

    Only the `best` results of each player count; 0: all of them.
    """

    rule: Rule = "places"
    points: tuple[int, ...] = DEFAULT_POINTS
    presence: int = 1
    best: int = 0


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A line of the table. `counted` are the tournaments whose `score` counts, by tournament; `total` in hundredths."""

    place: int
    player: PlayerKey
    total: int
    scores: Mapping[str, int]
    counted: frozenset[str]
    firsts: int
    wins: int

    @property
    def played(self) -> int:
        return len(self.scores)


def score(terms: SeasonTerms, result: SeasonResult) -> int:
    """The score of a result, in hundredths of a point: players who share a place share the points of their places."""
    if terms.rule == "master":
        return int(Fraction(result.master, 10) + Fraction(1, 2))
    if terms.rule == "wins":
        return result.wins * HUNDREDTHS
    points = [_points_for(terms, place) for place in range(result.place, result.place + result.sharing)]
    return int(Fraction(sum(points) * HUNDREDTHS, result.sharing) + Fraction(1, 2))


def _points_for(terms: SeasonTerms, place: int) -> int:
    return terms.points[place - 1] if place <= len(terms.points) else terms.presence


def season_table(terms: SeasonTerms, results: Iterable[SeasonResult]) -> list[SeasonLine]:
    """The players from the first to the last.

    Players level on points are separated by more first places, then more second places and so on, then by more matches
    won; those who are still level share the place. These count every tournament of the season, not only the best.
    """
    by_player: dict[PlayerKey, list[SeasonResult]] = {}
    for result in results:
        by_player.setdefault(result.player, []).append(result)
    rows = {player: (*_counted(terms, player_results), player_results) for player, player_results in by_player.items()}
    deepest = max((result.place for player_results in by_player.values() for result in player_results), default=0)

    def rank(player: PlayerKey) -> tuple[float, ...]:
        total, _scores, _counted, player_results = rows[player]
        places = [0] * deepest
        for result in player_results:
            places[result.place - 1] += 1
        return (total, *places, sum(result.wins for result in player_results))

    order = sorted(rows, key=rank, reverse=True)
    table: list[SeasonLine] = []
    for position, player in enumerate(order, 1):
        total, scores, counted, player_results = rows[player]
        place = table[-1].place if table and rank(order[position - 2]) == rank(player) else position
        firsts, wins = (
            sum(result.place == 1 for result in player_results),
            sum(result.wins for result in player_results),
        )
        table.append(SeasonLine(place, player, total, scores, counted, firsts, wins))
    return table


def _counted(terms: SeasonTerms, results: Sequence[SeasonResult]) -> tuple[int, dict[str, int], frozenset[str]]:
    """The total of the best results, the scores of all by tournament, and the tournaments that count."""
    scores = {result.tournament: score(terms, result) for result in results}
    best = sorted(scores, key=lambda tournament: -scores[tournament])[: terms.best or None]
    return sum(scores[tournament] for tournament in best), scores, frozenset(best)
