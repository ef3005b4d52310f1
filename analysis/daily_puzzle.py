"""The position of a day: which one it is, and how the votes fell. Pure."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

LEAST_LOSS = 0.04
"""An error is worth a vote from here on (points at the cube's value)."""
CLOSE = 0.02
"""A right decision is worth a vote where the next best loses no more than this."""


def is_interesting(*, loss: float, gap: float, choices: int) -> bool:
    """Whether a decision is worth everybody's vote: an error, or a close choice; and there is something to choose."""
    return choices > 1 and (loss >= LEAST_LOSS or (loss == 0 and 0 < gap <= CLOSE))


def pick_puzzle(day: date, puzzles: Sequence[int]) -> int | None:
    """The puzzle of a day among these numbers: the one whose SHA-256 with the date comes first. None of none.

    What is picked depends on nothing else, so nobody chooses it.
    """

    def place(puzzle: int) -> bytes:
        return hashlib.sha256(f"{day.isoformat()} {puzzle}".encode()).digest()

    return min(puzzles, key=place, default=None)


@dataclass(frozen=True, slots=True)
class VoteShare:
    """How many chose an answer, of all who voted."""

    answer: str
    votes: int
    share: float


def vote_shares(answers: Iterable[str]) -> list[VoteShare]:
    """The answers with their shares, the most chosen first."""
    counted = Counter(answers)
    total = sum(counted.values())
    order = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [VoteShare(answer, votes, votes / total) for answer, votes in order]
