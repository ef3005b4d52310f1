"""What fair dice do, and how far from it chance alone may go: values in, values out.

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
LEAST = 200
"""Fewer rolls than this say little: the rarest of them is then expected less than six times."""
SOME = 2 * len(DICE)
"""Fewer rolls than this have no p-value. With as many the chi-square's is right within a hundredth, by trial."""

_SIGMAS = {0.95: 1.959963984540054, 0.99: 2.5758293035489004}


def chance_of(dice: int) -> float:
    """How likely a roll is: 1/36 for a double, 1/18 for every other."""
    return 1 / 36 if dice // 10 == dice % 10 else 1 / 18


def pips_of(dice: int) -> int:
    """The pips of a roll."""
    high, low = divmod(dice, 10)
    return 4 * high if high == low else high + low


PIPS_VARIANCE = sum(chance_of(dice) * (pips_of(dice) - PIPS) ** 2 for dice in DICE)


@dataclass(frozen=True, slots=True)
class Found:
    """A number that was found where chance expects another, with the bands of 95 % and 99 % around that."""

    found: float
    expected: float
    likely: tuple[float, float]
    possible: tuple[float, float]

    @property
    def verdict(self) -> int:
        """0: what chance does; 1 and -1: outside 95 %, above or below; 2 and -2: outside 99 %."""
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


def counted(found: int, trials: int, p: float) -> Found:
    """How often something of chance `p` was found in so many trials."""
    likely, possible = (band(trials, p, level) for level in LEVELS)
    return Found(found, trials * p, likely, possible)


def summed(found: float, expected: float, variance: float) -> Found:
    """A sum of many independent numbers of which the mean and the variance are known: the normal distribution."""
    likely, possible = (_around(expected, _SIGMAS[level] * math.sqrt(variance)) for level in LEVELS)
    return Found(found, expected, likely, possible)


def _around(middle: float, reach: float) -> tuple[float, float]:
    return middle - reach, middle + reach


def chi_square(counts: Mapping[int, int]) -> tuple[float, float]:
    """Pearson's statistic of the counted rolls against fair dice, and how often chance alone gives as much or more.

    Twenty-one rolls have twenty degrees of freedom.
    """
    trials = sum(counts.values())
    if not trials:
        return 0.0, 1.0
    statistic = sum((counts.get(d, 0) - trials * chance_of(d)) ** 2 / (trials * chance_of(d)) for d in DICE)
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
