"""Hash chains (bgdice/1): secrets that are revealed one after the other, each proved by the one before it.

``H(x) = SHA-256(b"bgdice/1/chain" + x)``. A chain of N is its seed, H(seed), H(H(seed)) ...; element 0, the last one
computed, is published first, and element k is the k-th revealed, so ``H(element k) == element k-1``. Knowing
element k-1 does not help to find element k, and no other value can be revealed in its place.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

SEED_BYTES = 32
PLAYER_ELEMENTS = 4096
"""The elements of a player's chain: more rolls than the longest match asks of one seat."""
STEP = 256
"""Elements between two checkpoints: finding any element costs at most this many hashes."""


def link(element: bytes) -> bytes:
    """H: the element that is shown before `element`."""
    return hashlib.sha256(b"bgdice/1/chain" + element).digest()


def follows(element: bytes, shown: bytes) -> bool:
    """Whether `element` is the one after the element `shown` last."""
    return link(element) == shown


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of `length` elements after the published one.

    Mark j, the 32 bytes from ``32 * j`` in `marks`, is element ``length - j * STEP``. The marks are as secret as the
    seed, which is the first of them.
    """

    length: int
    marks: bytes

    @classmethod
    def of(cls, seed: bytes, length: int) -> Chain:
        """The chain of a seed of 32 bytes. Costs `length` hashes, once."""
        if len(seed) != SEED_BYTES or length < 1:
            raise ValueError("a chain has a seed of 32 bytes and at least one element")
        marks, element = [seed], seed
        for done in range(1, length + 1):
            element = link(element)
            if done % STEP == 0:
                marks.append(element)
        return cls(length, b"".join(marks))

    def element(self, k: int) -> bytes:
        """Element `k`, 0 being the published one. Raises IndexError past the end."""
        if not 0 <= k <= self.length:
            raise IndexError(k)
        back = self.length - k
        start = back // STEP * SEED_BYTES
        return _after_mark(self.marks[start : start + SEED_BYTES])[back % STEP]


@lru_cache(maxsize=512)  # 17 KiB each; a match goes through one of them in about a dozen games
def _after_mark(mark: bytes) -> tuple[bytes, ...]:
    """A mark and the elements computed from it, up to the next mark."""
    elements = [mark]
    while len(elements) < STEP:
        elements.append(link(elements[-1]))
    return tuple(elements)
