"""The score of a match to N, and the Crawford game that follows from it (B13, B14)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

from .sides import SIDES, Side

DEFAULT_LENGTH = 5


class Ending(Protocol):
    """The parts of a finished game that a score needs; `scoring.Outcome` is one."""

    @property
    def winner(self) -> Side | None: ...
    @property
    def points(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Score:
    """The points of both sides between two games of a match to `length`; length 0 is an endless money session.

    `has_crawford`: whether the match has a Crawford game at all; without a cube, or if so agreed, it has none (B14).
    """

    length: int = DEFAULT_LENGTH
    white: int = 0
    black: int = 0
    crawford_played: bool = False
    has_crawford: bool = True

    def __post_init__(self) -> None:
        for name in ("length", "white", "black"):
            number = getattr(self, name)
            if type(number) is not int or number < 0:
                raise ValueError(f"{name} must be a whole number of 0 or more, not {number!r}")

    def points(self, side: Side) -> int:
        """The points of a side."""
        return self.white if side == "white" else self.black

    def needed(self, side: Side) -> int | None:
        """How many points a side is away from the match; None in a money session."""
        return max(self.length - self.points(side), 0) if self.length else None

    @property
    def winner(self) -> Side | None:
        """The side that has reached the length of the match, or None while it goes on."""
        return next((side for side in SIDES if self.needed(side) == 0), None)

    @property
    def crawford(self) -> bool:
        """Whether the next game is the Crawford game: the first one after a player reaches N-1 (B14).

        It follows from the points alone, so a corrected score recomputes it.
        """
        return (
            self.has_crawford
            and self.length > 1
            and not self.crawford_played
            and self.winner is None
            and max(self.white, self.black) == self.length - 1
        )

    def after(self, outcome: Ending) -> Self:
        """The score after one more game; a draw scores nothing."""
        played = self.crawford_played or self.crawford
        if outcome.winner == "white":
            return replace(self, white=self.white + outcome.points, crawford_played=played)
        if outcome.winner == "black":
            return replace(self, black=self.black + outcome.points, crawford_played=played)
        return replace(self, crawford_played=played)

    def view(self) -> dict[str, Any]:
        """The score as JSON for pages."""
        return {"length": self.length, "white": self.white, "black": self.black, "crawford": self.crawford}

    def snapshot(self) -> dict[str, Any]:
        """The score as JSON; `Score.restore` reads it back."""
        return {
            "length": self.length,
            "white": self.white,
            "black": self.black,
            "crawford_played": self.crawford_played,
            "has_crawford": self.has_crawford,
        }

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Self:
        """The score that made this snapshot."""
        return cls(
            length=snapshot["length"],
            white=snapshot["white"],
            black=snapshot["black"],
            crawford_played=snapshot.get("crawford_played", False),
            has_crawford=snapshot.get("has_crawford", True),
        )
