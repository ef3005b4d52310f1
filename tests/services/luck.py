"""The luck of the tests: the same test throws the same dice each time, so that what fails can be seen failing again.

What the dice are made of (secrets and names of matches) comes from a seed instead of the system's entropy. Processes
that a test starts have luck of their own. `pytest --luck 2` plays everything with other dice.
"""

from __future__ import annotations

import random

SOURCES = (
    "games.dice",
    "games.models.play",
    "games.services.chains",
    "tests.faults.test_play_checker",
    "tests.games.dice.seats",
    "tournaments.draw",
)
"""The modules that draw something by which dice or pairings are decided, with `import secrets`."""


class Luck:
    """Stands where a module has imported `secrets`."""

    def __init__(self) -> None:
        self._random = random.Random()

    def begin(self, seed: str) -> None:
        self._random.seed(seed)

    def token_bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)

    def randbelow(self, end: int) -> int:
        return self._random.randrange(end)

    def choice(self, given: str) -> str:
        return self._random.choice(given)
