"""A parsed match of backgammon before any rule is applied: the common form of .mat and SGF files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from games.engine import Side
from games.formats.record import Fault

MOST_TURNS = 12
"""No cube is turned more often: it stands at 4096 then."""

Kind = Literal["play", "double", "take", "drop", "beaver", "resign", "setup", "unreadable"]


@dataclass(frozen=True, slots=True)
class Step:
    """One cell of a file: a side's play, cube action or resignation.

    `dice` are two digits as written, or empty; `moves` the checkers' moves (`24/18* 18/13`), empty when the file says
    that nothing can be played, None when it says nothing. `value` is the cube value in the file, 0 if it has none.
    `text` is the cell as written.
    """

    kind: Kind
    side: Side
    move: int
    dice: str = ""
    moves: str | None = None
    value: int = 0
    text: str = ""


@dataclass(slots=True)
class ParsedGame:
    """One game of a file: its score line (None: it has none), its steps, and the winner and points it states."""

    number: int
    score: tuple[int, int] | None = None
    steps: list[Step] = field(default_factory=list)
    winner: Side | None = None
    points: int | None = None
    match_won: bool = False
    cube: int = 1

    @property
    def stakes(self) -> int:
        """The cube value before the first double; an automatic double may have raised it."""
        first = next((step.value // 2 for step in self.steps if step.kind == "double" and step.value), 1)
        return max(self.cube, first, 1)

    @property
    def highest_cube(self) -> int:
        """The highest cube value that was offered: as the file states it, or as its doubles make it."""
        turned = sum(step.kind in ("double", "beaver") for step in self.steps)
        return max(self.stakes << min(turned, MOST_TURNS), *(step.value for step in self.steps), 0)

    @property
    def beavered(self) -> bool:
        """Whether a double was answered with a redouble, whatever the file calls it."""
        return any(
            step.kind == "beaver" or (step.kind == before.kind == "double" and step.side != before.side)
            for before, step in pairwise(self.steps)
        )


@dataclass(slots=True)
class ParsedMatch:
    """A whole file. `options` are only the declared ones; `by` and `winner` describe an end without a score."""

    format: str
    variant: str
    length: int
    players: dict[str, str]
    games: list[ParsedGame] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    by: str = ""
    winner: Side | None = None
    warnings: list[Fault] = field(default_factory=list)
