"""A position without its match options: the fields that position ids and diagrams can express."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from backgammon.rules.half_moves import Dice

from .board import Board
from .cube import Cube
from .house import NO_MONEY, Money
from .match import Score
from .sides import Side

Phase = Literal["opening", "roll", "rolling", "move", "name", "doubled", "over"]


class PositionLike(Protocol):
    """What can be written as an id or drawn: a `PositionFields`, or a `Position`, which has more."""

    @property
    def board(self) -> Board: ...
    @property
    def mover(self) -> Side: ...
    @property
    def phase(self) -> Phase: ...
    @property
    def dice(self) -> Dice | None: ...
    @property
    def cube(self) -> Cube: ...
    @property
    def score(self) -> Score: ...
    @property
    def money(self) -> Money: ...


@dataclass(frozen=True, slots=True)
class PositionFields:
    """The contents of an id: the mover's board, the mover, phase (roll, move or doubled), dice, cube, score, money."""

    board: Board
    mover: Side
    phase: Phase
    dice: Dice | None
    cube: Cube
    score: Score
    money: Money = NO_MONEY


def ensure_writable(shown: PositionLike) -> None:
    """Raise `ValueError` for what no id can express: checkers not entered yet, or a double to be named."""
    if shown.board.stock or shown.board.opponent_stock or shown.phase == "name":
        raise ValueError("a position id cannot express checkers to be entered or a double to be named")


def score_from_id(length: int, *, white: int, black: int, crawford: bool) -> Score:
    """Build the score of an id, where the Crawford game is a flag. Raises `ValueError` where it cannot be one (B14)."""
    leading = length > 1 and max(white, black) == length - 1
    score = Score(length, white, black, crawford_played=leading and not crawford)
    if score.winner is not None:
        raise ValueError(f"{white}-{black} is no score of an unfinished match to {length}")
    if crawford and not score.crawford:
        raise ValueError(f"{white}-{black} to {length} is not a Crawford game")
    return score
