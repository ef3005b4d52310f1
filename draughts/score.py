"""The outcome of a game of draughts, and the score of a match to N in half points (D6, D7, D9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from .sides import SIDES, Side, opponent

DEFAULT_LENGTH = 1
WIN = 1
"""The points of a game; a draw gives half of them to each side (D9)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `winner` (None: a draw), `points` the game was worth, `kind`, and the seat that played Black.

    Kinds: ``game`` (all taken), ``blocked``, ``resign``, ``flag``; of draws ``kings``, ``agreement``, ``claim``.
    """

    winner: Side | None
    points: int
    kind: str
    black: Side | None = None

    def view(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {"winner": self.winner, "points": self.points, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Score:
    """The score between two games of a match to `length`; `white` and `black` count half points of the two seats.

    `had_black` is the seat that had Black in the last game; None before the first.
    """

    length: int = DEFAULT_LENGTH
    white: int = 0
    black: int = 0
    had_black: Side | None = None

    def __post_init__(self) -> None:
        for name, least in (("length", 1), ("white", 0), ("black", 0)):
            number = getattr(self, name)
            if type(number) is not int or number < least:
                raise ValueError(f"{name} must be a whole number of {least} or more, not {number!r}")

    def halves(self, side: Side) -> int:
        """The half points of a side."""
        return self.white if side == "white" else self.black

    def points(self, side: Side) -> float:
        """The points of a side; an integer where they are whole."""
        halves = self.halves(side)
        return halves / 2 if halves % 2 else halves // 2

    @property
    def winner(self) -> Side | None:
        """The side that has reached the length and leads; at equal points the match goes on game by game (D9)."""
        for side in SIDES:
            if self.halves(side) >= 2 * self.length and self.halves(side) > self.halves(opponent(side)):
                return side
        return None

    @property
    def black_next(self) -> Side | None:
        """The seat that has Black in the next game, or None where the opening roll decides it (D9)."""
        return opponent(self.had_black) if self.had_black else None

    def after(self, outcome: Outcome) -> Self:
        """The score after one more game."""
        won = {side: 2 * outcome.points if side == outcome.winner else 0 for side in SIDES}
        if outcome.winner is None:
            won = dict.fromkeys(SIDES, outcome.points)
        return replace(
            self,
            white=self.white + won["white"],
            black=self.black + won["black"],
            had_black=outcome.black or self.had_black,
        )

    def view(self) -> dict[str, Any]:
        """The score as JSON for pages."""
        return {"length": self.length, "white": self.points("white"), "black": self.points("black")}

    def snapshot(self) -> dict[str, Any]:
        """The score as JSON, in half points; `Score.restore` reads it back."""
        return {"length": self.length, "white": self.white, "black": self.black, "had_black": self.had_black}

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Self:
        """Restore the score of a snapshot."""
        return cls(**snapshot)
