"""What live play asks of any game: the contract between `games/` and the rules.

Rules are pure values and import nothing of ours, so the contract is structural: `backgammon.rules` (and later
`draughts`) satisfy these protocols without knowing them. `games.registry` is the only place that names concrete rules.

Words used everywhere:

- a *side* is ``"white"`` or ``"black"``; a *turn* is a side, ``"chance"`` (the dice are to fall) or ``"over"``;
- an *action* is a short text, the same in the database, on the wire, in the API and in tests: ``roll``, ``dice 31``,
  ``8/5 6/5*``, ``bar/20``, ``6/off(2)``, ``pass``, ``double``, ``take``, ``drop``;
- a *snapshot* is JSON: ``rules.restore(position.snapshot()) == position``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol, Self

Side = Literal["white", "black"]
Turn = Literal["white", "black", "chance", "over"]
Json = dict[str, Any]

SIDES: tuple[Side, Side] = ("white", "black")


def rival(side: Side) -> Side:
    """The other side."""
    return "black" if side == "white" else "white"


class Outcome(Protocol):
    """How one game ended: `points` for `winner` (None is a draw); `kind` names it (single, gammon ... )."""

    @property
    def winner(self) -> Side | None: ...
    @property
    def points(self) -> int: ...
    @property
    def kind(self) -> str: ...


class Score(Protocol):
    """The score of a match to N between two games, a frozen value."""

    @property
    def length(self) -> int: ...
    @property
    def winner(self) -> Side | None:
        """Who has won the match, or None while it goes on."""

    def points(self, side: Side) -> int: ...
    def after(self, outcome: Outcome) -> Self: ...
    def view(self) -> Json:
        """What a page shows: at least ``{"length", "white", "black"}``; backgammon adds ``"crawford"``."""

    def snapshot(self) -> Json: ...


class Position(Protocol):
    """One game at one moment: a frozen value that knows its score, cube and dice."""

    @property
    def turn(self) -> Turn: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def rollers(self) -> tuple[Side, ...]:
        """While `turn` is chance: the sides that roll (both at an opening roll). Empty otherwise."""

    @property
    def auto(self) -> str | None:
        """The action that the server plays by itself, because nothing else is possible (``pass``), or None."""

    def actions(self) -> Iterable[str]:
        """Canonical texts legal for `turn`, one for each distinct result."""

    def canonical(self, action: str) -> str:
        """The stored form of what a player wrote (hits marked, half-moves merged). Raises the rules' `Illegal`."""

    def after(self, action: str) -> Self:
        """The position after an action of `turn`. Raises the rules' `Illegal(code, ruling, params)`."""

    def may(self, side: Side) -> list[str]:
        """The names of the buttons that `side` has now: roll, double, take, drop, move, pass."""

    def resignations(self, loser: Side) -> list[tuple[int, int]]:
        """(level, points) still possible if `loser` gave up now: level 1 single, 2 gammon, 3 backgammon."""

    def conceded(self, loser: Side, level: int) -> Self:
        """The game over by an accepted resignation. Raises the rules' `Illegal`."""

    def view(self, side: Side | None) -> Json:
        """What a board draws; the tree of half-moves only for the side to act. Shape: docs/protocol.md."""

    def why(self, path: str, attempt: str) -> Mapping[str, Any] | None:
        """Why one half-move is illegal after the half-moves of `path`: code, ruling, params; None if it is legal."""

    def snapshot(self) -> Json: ...


class Rules(Protocol):
    """One variant of one game. `family` picks the board widget: "points" or "squares"."""

    @property
    def key(self) -> str: ...
    @property
    def family(self) -> str: ...
    def opening_score(self, length: int, options: Mapping[str, Any]) -> Score: ...
    def start(self, score: Score, options: Mapping[str, Any]) -> Position: ...
    def restore(self, snapshot: Json) -> Position: ...
    def restore_score(self, snapshot: Json) -> Score: ...
