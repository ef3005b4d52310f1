"""What a bot fancies: numbers that look like chance, and are the same whenever the same thing is asked again.

Not dice, and no secret: a bot that is asked twice (a task that ran again, a worker that died) must answer twice alike.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

_STEPS = 2**53


@dataclass(frozen=True, slots=True)
class Whim:
    """The fancies of one decision; `seed` names it: the match and its version."""

    seed: str

    def share(self, *about: object) -> float:
        """A number in (0, 1), evenly spread."""
        text = "\x1f".join((self.seed, *map(str, about)))
        drawn = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") % _STEPS
        return (drawn + 0.5) / _STEPS

    def taste(self, *about: object) -> float:
        """A number around 0.6, spread as Gumbel says.

        Who adds `heat` times it to each equity and takes the largest sum, samples in proportion to
        exp(equity / heat): a temperature, without drawing lots twice.
        """
        return -math.log(-math.log(self.share(*about)))
