"""Taking back a play in a practice match (ruling B17): ``take-back 42`` undoes action 42 and all that followed.

Nothing is deleted: the record keeps what was taken back, and the dice go on where they were. Whoever reads a match as a
game (its state, its plays, a file, an analysis) folds what `standing` leaves; whoever verifies its dice reads all of
it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from games.replay import PLAY

_TAKE_BACK = re.compile(r"take-back ([1-9][0-9]{0,8})")
SPENT = 0
"""In place of the number of a play: the play with these dice was taken back already, so the next one stays."""


class Recorded(Protocol):
    """An action with its number in the match."""

    @property
    def n(self) -> Any: ...
    @property
    def text(self) -> Any: ...


Row = TypeVar("Row", bound=Recorded)


def action_of(play: int) -> str:
    """The action that takes back the play with this number."""
    return f"take-back {play}"


def play_of(text: str) -> int | None:
    """The number of the play that an action takes back; None if it is another action."""
    found = _TAKE_BACK.fullmatch(text)
    return int(found[1]) if found else None


def standing(rows: Iterable[Row]) -> list[Row]:
    """The actions of a match that stand, in their order: without those that were taken back."""
    kept: list[Row] = []
    for row in rows:
        if (play := play_of(row.text)) is None:
            kept.append(row)
            continue
        while kept and kept[-1].n >= play:
            kept.pop()
    return kept


def next_play(play: int | None, *, n: int, text: str) -> int | None:
    """The play that can be taken back after the player's own action `n`; `play` is the one before (None, `SPENT`).

    It can until the player does something else, such as rolling, and once for each roll.
    """
    if PLAY.match(text):
        return None if play == SPENT else n
    return SPENT if play == SPENT and text != "roll" else None
