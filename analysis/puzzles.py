"""A puzzle: a decision of a finished match, asked again. Pure.

The deciding player is White and sits at the bottom, whichever side they had in the match: so all puzzles look the
same way, and nobody recognises the match by its colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.engine import Json, Position, Side
from games.formats import position_ids as ids
from games.formats.errors import FormatError
from games.registry import ILLEGAL

SOLVER: Side = "white"
MOST_OPTIONS = 5

Option = tuple[str, float]
"""An answer and what it is worth to who gives it, in points at the cube's value before the decision."""


class UnplayablePuzzle(ValueError):
    """What somebody answered is no answer to this puzzle."""


def swap_sides(xgid: str) -> str:
    """The same position with the colours exchanged."""
    checkers, cube, owner, turn, dice, white, black, *rest = xgid.removeprefix("XGID=").split(":")
    fields = [checkers[::-1].swapcase(), cube, str(-int(owner)), str(-int(turn)), dice, black, white, *rest]
    return "XGID=" + ":".join(fields)


def options_of(decision: Mapping[str, Any]) -> list[Option]:
    """What could be decided, the best first, from a decision of a report (docs/analysis.md)."""
    if decision["kind"] == "play":
        return [(each["play"], each["equity"]) for each in decision["plays"]][: MOST_OPTIONS + 1]
    cube = decision["cube"]
    if decision["kind"] == "double":
        found = [("double", min(cube["taken"], cube["dropped"])), ("roll", cube["hold"])]
    else:
        found = [("take", -cube["taken"]), ("drop", -cube["dropped"])]
    return sorted(found, key=lambda option: -option[1])


def gap_of(options: Sequence[Option]) -> float:
    """What the second best gives away; 0 where there is no second."""
    return options[0][1] - options[1][1] if len(options) > 1 else 0.0


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to decide in, and what the answers are worth."""

    position: Position
    options: tuple[Option, ...]

    @classmethod
    def read(cls, xgid: str, options: Sequence[Sequence[Any]]) -> Puzzle:
        """From a stored row."""
        return cls(ids.read(xgid), tuple((text, equity) for text, equity in options))

    @property
    def best(self) -> str:
        return self.options[0][0]

    def situation(self) -> Json:
        """What the board needs to show it and to let its solver play."""
        return {"position": self.position.view(SOLVER), "you": SOLVER, "may": self.position.may(SOLVER)}

    @property
    def choices(self) -> tuple[str, ...]:
        """The buttons of a cube decision; none where a play is asked for."""
        return ("double", "roll") if "roll" in self._texts else ("take", "drop") if "take" in self._texts else ()

    @property
    def _texts(self) -> frozenset[str]:
        return frozenset(text for text, _ in self.options)

    def judged(self, answer: str) -> tuple[str, float | None]:
        """The answer as the report writes it, and what it gives away; None: a play that the report does not list.

        Plays are compared by what they lead to, not by how they are written. Raises `UnplayablePuzzle`.
        """
        if self.choices:
            if answer not in self._texts:
                raise UnplayablePuzzle(answer)
            return answer, self._loss(answer)
        try:
            written, reached = self.position.canonical(answer), self.position.after(answer)
        except ILLEGAL as error:
            raise UnplayablePuzzle(answer) from error
        for text in self._texts:
            if self.position.after(text) == reached:
                return text, self._loss(text)
        return written, None

    def _loss(self, answer: str) -> float:
        return max(0.0, self.options[0][1] - dict(self.options)[answer])


def is_readable(xgid: str) -> bool:
    """Whether a position can be put to somebody by its id alone: not every one can (house options, strange cubes)."""
    try:
        ids.read(xgid)
    except FormatError:
        return False
    return True
