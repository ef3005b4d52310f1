"""The error rate ranking: error rates over a rolling window, each with the interval it is known in. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analysis.error_rates import SCALE, ErrorSum

WINDOW_DAYS = 180
LEAST_DECISIONS = 300
"""Fewer decisions say little: about six matches to seven points."""
LEAST_MATCHES = 3
WIDE = 1.96
"""Standard errors to either side of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class KnownRate:
    """A player's PR, and `margin` to either side: 95 of 100 such intervals hold what he really plays."""

    matches: int
    decisions: int
    rate: float
    margin: float

    @property
    def low(self) -> float:
        return max(0.0, self.rate - self.margin)

    @property
    def high(self) -> float:
        return self.rate + self.margin


def known_rate(matches: Sequence[ErrorSum]) -> KnownRate | None:
    """The error rate over these matches; None while they are too few.

    The interval is that of a ratio of two sums over clusters (Cochran, Sampling Techniques, 1977, section 6.4): errors
    of one match go together, so matches and not decisions are what was drawn.
    """
    total = sum(matches, ErrorSum())
    played = [match_sum for match_sum in matches if match_sum.decisions]
    if total.decisions < LEAST_DECISIONS or len(played) < LEAST_MATCHES:
        return None
    each = total.lost / total.decisions
    spread = sum((match_sum.lost - each * match_sum.decisions) ** 2 for match_sum in played)
    count = len(played)
    error = math.sqrt(spread * count / (count - 1)) / total.decisions
    return KnownRate(count, total.decisions, SCALE * each, WIDE * SCALE * error)


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A place in the ranking; `level` says that its interval meets that of the place above: they may be as good."""

    place: int
    player: object
    rate: KnownRate
    level: bool


def rank_players(players: Iterable[tuple[object, Sequence[ErrorSum]]]) -> list[RankedPlayer]:
    """Those with enough decisions, the lowest error rate first."""
    found = [(player, rated) for player, matches in players if (rated := known_rate(matches))]
    found.sort(key=lambda item: (item[1].rate, item[1].margin))
    return [
        RankedPlayer(place, player, rated, level=place > 1 and rated.low <= found[place - 2][1].high)
        for place, (player, rated) in enumerate(found, start=1)
    ]
