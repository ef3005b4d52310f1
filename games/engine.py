"""The contract between live play and the rules of a game.

Rules are pure values and import nothing of ours, so the contract is structural: `backgammon.rules` and `draughts`
satisfy these protocols without importing them. `games.registry` is the only place that names concrete rules.

Terms used everywhere:

- a *side* is ``"white"`` or ``"black"`` and names a seat for the whole match (in damas the colour of its men changes
  from game to game); a *turn* is a side, ``"chance"`` (the dice are to fall) or ``"over"``;
- an *action* is a short text, the same in the database, on the wire, in the API and in tests: ``roll``, ``dice 31``,
  ``8/5 6/5*``, ``bar/20``, ``6/off(2)``, ``pass``, ``double``, ``take``, ``drop``, ``beaver``, ``name 6``; in damas
  ``11-16``, ``17x28``, ``huff 32``, ``compel``;
- a *snapshot* is JSON: ``rules.restore(position.snapshot()) == position``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, Self

Side = Literal["white", "black"]
Turn = Literal["white", "black", "chance", "over"]
Json = dict[str, Any]

SIDES: tuple[Side, Side] = ("white", "black")


def opponent(side: Side) -> Side:
    """The other side."""
    return "black" if side == "white" else "white"


class Outcome(Protocol):
    """How one game ended: `points` for `winner` (None: a draw, half of them each); `kind` names it (single, gammon)."""

    @property
    def winner(self) -> Side | None: ...
    @property
    def points(self) -> int: ...
    @property
    def kind(self) -> str: ...


class Term(Protocol):
    """One thing that two players agree on before a match besides its length and clock: a value out of `choices`."""

    @property
    def choices(self) -> Sequence[Any]: ...
    @property
    def default(self) -> Any: ...
    @property
    def house(self) -> bool:
        """Whether another value than the default can be a house rule."""

    def is_house_rule(self, value: Any) -> bool:
        """Whether a match with this value is played by a house rule, and so never rated."""


class Score(Protocol):
    """The score of a match to N between two games, a frozen value."""

    @property
    def length(self) -> int: ...
    @property
    def winner(self) -> Side | None:
        """Who has won the match, or None while it goes on."""

    def points(self, side: Side) -> float:
        """The points of a side: whole numbers, or halves where games can be drawn."""

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
        """The names of the buttons that `side` has now: roll, double, take, drop, beaver, name 6, move, huff 32 ..."""

    def resignations(self, loser: Side) -> list[tuple[int, int]]:
        """(level, points) still possible if `loser` gave up now: level 1 single, 2 gammon, 3 backgammon."""

    def conceded(self, loser: Side, level: int) -> Self:
        """The game over by an accepted resignation. Raises the rules' `Illegal`."""

    @property
    def resigns_at_once(self) -> bool:
        """Whether a resignation needs no answer, because it already gives all that the opponent could still win."""

    def draws(self, side: Side) -> list[str]:
        """What `side` may do now towards a draw: ``offer-draw``, ``claim-draw``. Empty where no game is drawn."""

    def drawn(self, kind: str) -> Self:
        """The game over without a winner: `kind` is ``agreement`` or ``claim``. Raises the rules' `Illegal`."""

    def flagged(self, loser: Side) -> Self:
        """The game over because the time of `loser` ran out, where a clock lasts a game and not the match."""

    def view(self, side: Side | None) -> Json:
        """What a board draws; the tree of half-moves only for the side to act. Shape: docs/protocol.md."""

    def why(self, path: str, attempt: str) -> Mapping[str, Any] | None:
        """Why one half-move is illegal after the half-moves of `path`: code, ruling, params; None if it is legal."""

    def snapshot(self) -> Json: ...


class Rules(Protocol):
    """One variant of one game. `family` picks the board widget: "points" or "squares".

    `lengths` are the lengths that a form offers, the first being usual; `money` says whether a session without end
    (length 0) exists. `terms` are the options of a match to this length by key.
    """

    @property
    def key(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def name(self) -> str:
        """The name of the game as most languages have it: Backgammon."""

    @property
    def lengths(self) -> Sequence[int]: ...
    @property
    def money(self) -> bool: ...
    def terms(self, length: int) -> Mapping[str, Term]: ...
    def clock_kind(self, length: int) -> str:
        """``match`` (delay, and a reserve for the match; a flag loses the match), ``game`` (delay, and a reserve for
        each game; a flag loses the game) or ``sudden`` (minutes a side for each game, no delay; as ``game``)."""

    @property
    def rating(self) -> Literal["fibs", "glicko2"]:
        """How matches are rated (games.ratings): ``fibs``, the match as a whole, or ``glicko2``, game by game."""

    def rating_weight(self, length: int) -> float:
        """What a match to this length counts in the rating formula, in points of backgammon."""

    def opening_score(self, length: int, options: Mapping[str, Any]) -> Score: ...
    def start(self, score: Score, options: Mapping[str, Any]) -> Position: ...
    def restore(self, snapshot: Json) -> Position: ...
    def restore_score(self, snapshot: Json) -> Score: ...
