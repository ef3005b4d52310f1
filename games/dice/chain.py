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
"""Elements between two marks: finding any element costs at most this many hashes."""
SHORT_STEP = 16
"""The same between two of those that are kept in memory once a mark was used."""
MARKS_OF_PART = 8
"""In memory for a match: enough for 2,000 rolls."""


def link(element: bytes) -> bytes:
    """H: the element that is shown before `element`."""
    return hashlib.sha256(b"bgdice/1/chain" + element).digest()


def follows(element: bytes, shown: bytes) -> bool:
    """Whether `element` is the one after the element `shown` last."""
    return link(element) == shown


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of `length` elements after the published one.

    Mark j is element ``length - j * STEP``; `marks` are the marks from `first` on, 32 bytes each. They are as secret
    as the seed, which is mark 0.
    """

    length: int
    marks: bytes
    first: int = 0

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
        """Element `k`, 0 being the published one. Raises IndexError past the end, LookupError outside of a part."""
        if not 0 <= k <= self.length:
            raise IndexError(k)
        if not self.holds(k):
            raise LookupError(k)
        start = (self._mark(k) - self.first) * SEED_BYTES
        short, rest = divmod((self.length - k) % STEP, SHORT_STEP)
        start_short = short * SEED_BYTES
        element = _short_marks(self.marks[start : start + SEED_BYTES])[start_short : start_short + SEED_BYTES]
        for _ in range(rest):
            element = link(element)
        return element

    def holds(self, k: int) -> bool:
        """Whether `element` finds element `k` with these marks, or knows that the chain has ended before it."""
        return self.first <= self._mark(k) < self.first + len(self.marks) // SEED_BYTES

    def part(self, k: int) -> Chain:
        """This chain with few marks: for element `k` and the next 1,792 to 2,047."""
        last = self._mark(k) + 1
        first = max(last - MARKS_OF_PART, self.first)
        start, end = ((mark - self.first) * SEED_BYTES for mark in (first, last))
        return Chain(self.length, self.marks[start:end], first)

    def _mark(self, k: int) -> int:
        """The mark from which element `k` is computed."""
        return max(self.length - k, 0) // STEP


@lru_cache(maxsize=1024)  # 0.8 KiB each; a match goes through one of them in about a dozen games
def _short_marks(mark: bytes) -> bytes:
    """A mark and each sixteenth of the elements computed from it, up to the next mark."""
    elements, element = [mark], mark
    for done in range(1, STEP - SHORT_STEP + 1):
        element = link(element)
        if done % SHORT_STEP == 0:
            elements.append(element)
    return b"".join(elements)
