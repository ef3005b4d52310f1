"""How many players a tournament is short of a whole field, and who counts. Pure values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FEWEST = 2
MOST = 64
"""As many of the computer can come in one act."""


@dataclass(frozen=True, slots=True)
class Place:
    """An entrant who has not left: whether he is checked in, and whether he is the computer."""

    here: bool
    computer: bool


def players(places: Sequence[Place], *, check_in: bool) -> int:
    """How many would be drawn: where players check in, and people have begun to, only those who are here."""
    begun = check_in and any(one.here and not one.computer for one in places)
    return sum(one.here for one in places) if begun else len(places)


def whole(sections: str, count: int) -> int:
    """The smallest field of at least `count` players in which nobody has a bye in the first round.

    `sections` is that of the format: a bracket needs a power of two, all others an even number.
    """
    if sections == "bracket":
        return max(FEWEST, 1 << (count - 1).bit_length()) if count else FEWEST
    return max(FEWEST, count + count % 2)
