"""The dice: verifiable ones (`match_dice`), the system's where nothing can be proved, or those of a test's script.

Each index is used once and the dice are recorded as an action, so a retry, a reconnect or a crash never rolls again.
`Roller` is the seam through which tests script dice: whatever they put there bypasses the proof.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Protocol

from games.engine import Side


class Roller(Protocol):
    """Two dice, 1 to 6 each; the first is White's at an opening roll."""

    def __call__(self, match_id: str, index: int, elements: Mapping[Side, str]) -> tuple[int, int]: ...


def system_roll(match_id: str, index: int, elements: Mapping[Side, str]) -> tuple[int, int]:
    """Two dice from the operating system's entropy."""
    return secrets.randbelow(6) + 1, secrets.randbelow(6) + 1


_roller: Roller = system_roll


def roll(match_id: str, index: int, elements: Mapping[Side, str]) -> tuple[int, int]:
    """The dice of roll `index` (1, 2, 3 ... over the whole match)."""
    return _roller(match_id, index, elements)


def is_replaced() -> bool:
    """Whether the source of dice has been replaced: then they prove nothing."""
    return _roller is not system_roll


def replace_roller(roller: Roller) -> Roller:
    """Replace the source of dice and return the one before: how tests script a game."""
    global _roller
    before, _roller = _roller, roller
    return before
