"""A match of backgammon as a file tells it, before any rule has looked at it: what .mat and SGF have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from games.engine import Side
from games.formats.record import Fault

Kind = Literal["play", "double", "take", "drop", "beaver", "resign", "setup", "unreadable"]


@dataclass(frozen=True, slots=True)
class Step:
    """One cell of a file: a side's play, cube action or resignation.

    `dice` are two digits as written, or empty; `hops` the men's moves (`24/18* 18/13`), empty when the file says that
    nothing can be played, None when it says nothing at all. `value` is what the file says of the cube, 0 if nothing.
    `text` is the cell as written.
    """

    kind: Kind
    side: Side
    move: int
    dice: str = ""
    hops: str | None = None
    value: int = 0
    text: str = ""


@dataclass(slots=True)
class ToldGame:
    """One game of a file: the score that it says (None: it says none), its steps, and who it says won how much."""

    number: int
    score: tuple[int, int] | None = None
    steps: list[Step] = field(default_factory=list)
    winner: Side | None = None
    points: int | None = None
    match_won: bool = False
    cube: int = 1

    @property
    def stakes(self) -> int:
        """Where the cube stood before its first double (an automatic double may have turned it)."""
        first = next((step.value // 2 for step in self.steps if step.kind == "double" and step.value), 1)
        return max(self.cube, first, 1)

    @property
    def beavered(self) -> bool:
        """Whether a double was answered by another one, whatever the file calls it."""
        return any(
            step.kind == "beaver" or (step.kind == before.kind == "double" and step.side != before.side)
            for before, step in pairwise(self.steps)
        )


@dataclass(slots=True)
class ToldMatch:
    """A whole file. `options` are only those that it declares; `by` and `winner` an end without score."""

    format: str
    variant: str
    length: int
    players: dict[str, str]
    games: list[ToldGame] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    by: str = ""
    winner: Side | None = None
    warnings: list[Fault] = field(default_factory=list)
