"""The keys of the parts of a fixture: the boards of a team match, or the matches of a series. Pure.

A format pairs entrants: its pairings are the *fixtures*. Where a fixture has parts, these are the pairings that are
played, and their keys are that of the fixture with a number: `main-3-1_2`.
"""

from __future__ import annotations

from tournaments.formats.core import Key

PART = "_"  # between the key of a fixture and the number of a part


def part_key(fixture: Key, number: int) -> Key:
    return f"{fixture}{PART}{number}"


def fixture_key(key: Key) -> Key:
    """The key of the fixture that a part belongs to; any other key as it is."""
    return key.partition(PART)[0]


def part_number(key: Key) -> int:
    """The number of a part in its fixture; 0 for a pairing that is no part."""
    return int(key.partition(PART)[2] or 0)


def section_and_round(key: Key) -> tuple[str, int]:
    """The section and the round of a fixture or of its part."""
    section, round_, _number = key.rsplit("-", 2)
    return section, int(round_)
