"""Seeded entropy for tests: the same test rolls the same dice each time, so that failures can be reproduced.

Secrets and match ids come from a seed instead of the system. Processes that a test starts have entropy of their own.
`pytest --luck 2` runs everything with other dice.
"""

from __future__ import annotations

import random

SOURCES = (
    "games.dice",
    "games.models.match",
    "games.services.dice_chains",
    "tests.faults.test_play_audit",
    "tests.games.dice.seats",
    "tournaments.draw",
)
"""The modules that draw something by which dice or pairings are decided, with `import secrets`."""


class Luck:
    """Replaces `secrets` in a module."""

    def __init__(self) -> None:
        self._random = random.Random()

    def begin(self, seed: str) -> None:
        self._random.seed(seed)

    def token_bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)

    def randbelow(self, end: int) -> int:
        return self._random.randrange(end)

    def choice(self, options: str) -> str:
        return self._random.choice(options)
