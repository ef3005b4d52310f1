"""Master points, by the formula of the U.S. Backgammon Federation (ruling P1). Pure.

"How USBGF Master Points are Calculated", Richard Munitz and Joe Russell, effective January 2019. A match won is worth
sqrt(length) / 3; a place 0.6 * log2(players) * the factor of the rank; both are weighed by the event and the division.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, log2, sqrt

from tournaments.final_ranking import FinalRank, final_ranks
from tournaments.formats.core import Entrant, Pairing
from tournaments.state import State

PLACEMENT = 0.6
FACTORS = (1.0, 0.7)  # of the first two ranks; from the third on 1 / (rank - 1)
DIVISIONS = (1.0, 0.7, 0.5)  # the last one for all lower divisions
FULL_WEIGHT = 100  # the weight of an event, in percent of a main event of the federation's tour


@dataclass(frozen=True, slots=True)
class Award:
    """The master points of an entrant, for matches won and for the place, in thousandths."""

    entrant: Entrant
    wins: int
    placement: int

    @property
    def total(self) -> int:
        return self.wins + self.placement


def win_points(length: float) -> float:
    """The master points for winning a match to `length`."""
    return sqrt(length) / 3


def rank_factor(rank: int) -> float:
    """The factor of a rank, counted from 1."""
    return FACTORS[rank - 1] if rank <= len(FACTORS) else 1 / (rank - 1)


def rank_points(players: int, first: int, sharing: int = 1) -> float:
    """The points of each of `sharing` players who share the ranks from `first` on, in an event of `players`."""
    shared = sum(rank_factor(rank) for rank in range(first, first + sharing)) / sharing
    return PLACEMENT * log2(players) * shared if players > 1 else 0.0


def division_weight(division: int) -> float:
    """The weight of a division, 1 for the strongest."""
    return DIVISIONS[min(division, len(DIVISIONS)) - 1]


def placed_count(players: int, prizes: int = 0) -> int:
    """How many places earn points: those with a prize; without prizes the first quarter, at least the winner."""
    return min(players, prizes) if prizes else ceil(Fraction(players, 4))


def awards(
    state: State, *, weight: int = FULL_WEIGHT, prizes: int = 0, measure: Callable[[int], float] = float
) -> tuple[Award, ...]:
    """The awards of a tournament that is over, from the first place to the last; none before.

    `weight` is that of the event in percent, `prizes` the number of places with a prize; `measure` converts the points
    of a match to those of backgammon. A division is an event of its own. A match that was not played earns nothing.
    """
    won = _won(state.fixtures, lambda pairing: measure(state.rules.length(pairing.section, pairing.round)))
    return tuple(_award(rank, state, weight, prizes, won.get(rank.entrant, 0.0)) for rank in final_ranks(state))


def _award(rank: FinalRank, state: State, weight: int, prizes: int, won: float) -> Award:
    factor = weight / FULL_WEIGHT * division_weight(rank.division)
    placed = rank.rank <= placed_count(rank.players, prizes) and rank.entrant not in state.withdrawn
    points = rank_points(rank.players, rank.rank, rank.sharing) if placed else 0.0
    return Award(rank.entrant, _thousandths(factor * won), _thousandths(factor * points))


def _won(pairings: Iterable[Pairing], length: Callable[[Pairing], float]) -> dict[Entrant, float]:
    """The points of each entrant for the matches that they won by playing."""
    found: dict[Entrant, float] = {}
    for pairing in pairings:
        if pairing.state == "done" and pairing.result is not None and pairing.result.how == "played":
            winner = pairing.winner
            if winner is not None:
                found[winner] = found.get(winner, 0.0) + win_points(length(pairing))
    return found


def _thousandths(points: float) -> int:
    return round(points * 1000)
