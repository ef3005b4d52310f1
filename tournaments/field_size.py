"""The size of a field in which nobody has a bye in the first round. Pure values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

FEWEST = 2
MOST = 64
"""The most bots that can be added in one act."""


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """An entrant who has not withdrawn."""

    checked_in: bool
    is_bot: bool


def field_count(entries: Sequence[FieldEntry], *, check_in: bool) -> int:
    """How many entrants would be drawn: where check-in is required and a person has checked in, those checked in."""
    check_in_open = check_in and any(entry.checked_in and not entry.is_bot for entry in entries)
    return sum(entry.checked_in for entry in entries) if check_in_open else len(entries)


def full_field_size(sections: str, count: int) -> int:
    """The smallest field of at least `count` players in which nobody has a bye in the first round.

    `sections` is that of the format: a bracket needs a power of two, all others an even number.
    """
    if sections == "bracket":
        return max(FEWEST, 1 << (count - 1).bit_length()) if count else FEWEST
    return max(FEWEST, count + count % 2)
