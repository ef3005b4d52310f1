"""The statistics of fair dice: expected counts, bands of chance, chi-square. Pure: values in, values out.

A band at 95 % holds the outcome of fair dice in 95 of 100 such samples; one in twenty lies outside it by chance alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

FACES = range(1, 7)
DICE = tuple(10 * high + low for high in FACES for low in range(1, high + 1))
"""The twenty-one rolls of two dice: the higher number and the lower one."""
P_DOUBLE = 1 / 6
PIPS = 49 / 6
"""The pips of a roll on average: a double counts four times its number."""
LEVELS = (0.95, 0.99)
MIN_ROLLS = 200
"""Fewer rolls than this prove little: the rarest of them is then expected less than six times."""
MIN_ROLLS_FOR_P_VALUE = 2 * len(DICE)
"""Fewer rolls than this have no p-value. With as many the chi-square's is right within a hundredth, by trial."""

_SIGMAS = {0.95: 1.959963984540054, 0.99: 2.5758293035489004}


def probability_of(dice: int) -> float:
    """The probability of a roll: 1/36 for a double, 1/18 for any other."""
    return 1 / 36 if dice // 10 == dice % 10 else 1 / 18


def pips_of(dice: int) -> int:
    """The pips of a roll."""
    high, low = divmod(dice, 10)
    return 4 * high if high == low else high + low


PIPS_VARIANCE = sum(probability_of(dice) * (pips_of(dice) - PIPS) ** 2 for dice in DICE)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A found number beside the expected one, with the bands of 95 % and 99 % around that."""

    found: float
    expected: float
    likely: tuple[float, float]
    possible: tuple[float, float]

    @property
    def verdict(self) -> int:
        """0: within 95 %; 1 and -1: outside 95 %, above or below; 2 and -2: outside 99 %."""
        for size, (low, high) in ((2, self.possible), (1, self.likely)):
            if self.found > high:
                return size
            if self.found < low:
                return -size
        return 0


@lru_cache(maxsize=4096)
def band(trials: int, p: float, level: float) -> tuple[int, int]:
    """The least and the greatest count of `trials` at `p` each that are not in either tail of (1 - level) / 2.

    The exact binomial distribution, summed up from twelve standard deviations below its mean.
    """
    if not trials:
        return 0, 0
    tail = (1 - level) / 2
    spread = math.sqrt(trials * p * (1 - p))
    k = max(0, int(trials * p - 12 * spread))
    log_mass = (
        math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
        + k * math.log(p) + (trials - k) * math.log1p(-p)
    )  # fmt: skip
    mass = total = math.exp(log_mass)
    low = None
    while True:
        if low is None and total > tail:
            low = k
        if total >= 1 - tail or k == trials:
            return low or 0, k
        mass *= (trials - k) / (k + 1) * p / (1 - p)
        total += mass
        k += 1


def compare_count(found: int, trials: int, p: float) -> Comparison:
    """Compare how often an event of probability `p` occurred in `trials` with the binomial distribution."""
    likely, possible = (band(trials, p, level) for level in LEVELS)
    return Comparison(found, trials * p, likely, possible)


def compare_sum(found: float, expected: float, variance: float) -> Comparison:
    """Compare a sum of many independent numbers of known mean and variance with the normal distribution."""
    likely, possible = (_around(expected, _SIGMAS[level] * math.sqrt(variance)) for level in LEVELS)
    return Comparison(found, expected, likely, possible)


def _around(middle: float, margin: float) -> tuple[float, float]:
    return middle - margin, middle + margin


def chi_square(counts: Mapping[int, int]) -> tuple[float, float]:
    """Pearson's statistic of the counted rolls against fair dice, and its p-value.

    Twenty-one rolls have twenty degrees of freedom.
    """
    trials = sum(counts.values())
    if not trials:
        return 0.0, 1.0
    statistic = sum((counts.get(d, 0) - trials * probability_of(d)) ** 2 / (trials * probability_of(d)) for d in DICE)
    return statistic, tail_of(statistic, len(DICE) - 1)


def tail_of(statistic: float, freedom: int) -> float:
    """The chance that chi-square with `freedom` degrees of freedom is at least `statistic`.

    Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1), from Q(1, x) = e^-x or Q(1/2, x) = erfc(sqrt x)
    (Abramowitz and Stegun 6.5.21, 26.4.4, 26.4.5).
    """
    x = statistic / 2
    if x <= 0:
        return 1.0
    a, total = (0.5, math.erfc(math.sqrt(x))) if freedom % 2 else (1.0, math.exp(-x))
    while a < freedom / 2:
        total += math.exp(a * math.log(x) - x - math.lgamma(a + 1))
        a += 1
    return min(1.0, total)
