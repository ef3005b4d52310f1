"""Figures that suggest a closer look at a player's matches. Pure. They prove nothing: a person decides.

Two things are compared. A player's error rate with that of players of the same rating: one who errs far less may
have help, or may be underrated. And the thinking time with the difficulty: people take longer over a close decision
than over a plain one; a player who does not may be reading answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

LEAST_PLAYERS = 8
"""With fewer players there is no telling what is usual."""
FAR = 2.0
"""Standard deviations below the expected value from which a player is listed."""
LEAST_TIMED = 100
FLAT = 0.05
"""A correlation of time with difficulty below this is unlike a person's."""
LONGEST = 300.0
"""Seconds; a longer time counts as absence."""


@dataclass(frozen=True, slots=True)
class DecisionTime:
    """The sums of a correlation between difficulty and the logarithm of the seconds taken: they add over matches."""

    count: int = 0
    x: float = 0.0
    y: float = 0.0
    xx: float = 0.0
    yy: float = 0.0
    xy: float = 0.0

    @classmethod
    def of(cls, timed: Iterable[tuple[float, float]]) -> DecisionTime:
        """From pairs of difficulty (0 to 1) and seconds."""
        total = cls()
        for difficulty, seconds in timed:
            y = math.log(1.0 + min(max(seconds, 0.0), LONGEST))
            total += cls(1, difficulty, y, difficulty * difficulty, y * y, difficulty * y)
        return total

    def __add__(self, other: DecisionTime) -> DecisionTime:
        return DecisionTime(
            self.count + other.count,
            self.x + other.x,
            self.y + other.y,
            self.xx + other.xx,
            self.yy + other.yy,
            self.xy + other.xy,
        )

    @property
    def correlation(self) -> float | None:
        """From -1 to 1; None of too few decisions, or where nothing varies."""
        if self.count < LEAST_TIMED:
            return None
        across = self.count * self.xy - self.x * self.y
        spread = (self.count * self.xx - self.x**2) * (self.count * self.yy - self.y**2)
        return across / math.sqrt(spread) if spread > 0 else None

    @property
    def seconds(self) -> float | None:
        """The usual time of a decision: the geometric mean."""
        return math.exp(self.y / self.count) - 1.0 if self.count else None

    def as_json(self) -> dict[str, float]:
        values = {name: getattr(self, name) for name in ("count", "x", "y", "xx", "yy", "xy")}
        return {name: round(value, 6) for name, value in values.items()}

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> DecisionTime:
        return cls(**row)


def difficulty(gap: float, *, obvious: bool) -> float:
    """How hard a decision was, 0 (obvious) to 1: the closer the second best, the harder; `gap` is what it loses."""
    return 0.0 if obvious else 1.0 / (1.0 + 20.0 * gap)


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """A player's error rate, thinking time and rating."""

    player: object
    rating: float
    rate: float
    decisions: int
    pace: DecisionTime


@dataclass(frozen=True, slots=True)
class Finding:
    """A player's figures against the expected ones: `expected` is the error rate of players of the same rating.

    `distance` counts standard deviations: below 0 the player errs less than they do. Both are None where too few play.
    """

    numbers: PlayerFigures
    expected: float | None
    distance: float | None

    @property
    def few_errors(self) -> bool:
        return self.distance is not None and self.distance <= -FAR

    @property
    def flat_pace(self) -> bool:
        correlation = self.numbers.pace.correlation
        return correlation is not None and correlation < FLAT

    @property
    def stands_out(self) -> bool:
        """Whether the player's matches are worth a closer look."""
        return self.few_errors or self.flat_pace


def findings(players: Sequence[PlayerFigures]) -> list[Finding]:
    """Compare all players with the line of error rates by rating; those who stand out most come first.

    The line is that of least squares through the others, so that an outlier does not pull it.
    """
    found = [_finding(player, [other for other in players if other is not player]) for player in players]
    return sorted(
        found, key=lambda finding: (not finding.stands_out, finding.distance if finding.distance is not None else 0.0)
    )


def _finding(player: PlayerFigures, others: Sequence[PlayerFigures]) -> Finding:
    if len(others) < LEAST_PLAYERS - 1:
        return Finding(player, None, None)
    rating, rate = fmean(other.rating for other in others), fmean(other.rate for other in others)
    width = sum((other.rating - rating) ** 2 for other in others)
    slope = sum((other.rating - rating) * (other.rate - rate) for other in others) / width if width else 0.0

    def expected(other: PlayerFigures) -> float:
        return rate + slope * (other.rating - rating)

    spread = math.sqrt(sum((other.rate - expected(other)) ** 2 for other in others) / max(len(others) - 2, 1))
    return Finding(player, expected(player), (player.rate - expected(player)) / spread if spread else None)
