"""Reproducible random numbers for the decisions of bots.

Neither dice nor secret: a bot that is asked twice (a repeated task, a killed worker) must answer the same.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

_STEPS = 2**53


@dataclass(frozen=True, slots=True)
class SeededRandom:
    """The random numbers of one decision; `seed` is the match and its version."""

    seed: str

    def uniform(self, *about: object) -> float:
        """A uniform number in (0, 1) for a label."""
        text = "\x1f".join((self.seed, *map(str, about)))
        drawn = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") % _STEPS
        return (drawn + 0.5) / _STEPS

    def gumbel(self, *about: object) -> float:
        """A number with the standard Gumbel distribution (mean 0.58) for a label.

        Adding `temperature` times it to each equity and taking the largest sum samples in proportion to
        exp(equity / temperature) (the Gumbel-max trick).
        """
        return -math.log(-math.log(self.uniform(*about)))
