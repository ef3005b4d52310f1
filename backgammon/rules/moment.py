"""A game at one moment without its history: what position ids and diagrams can say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from .board import Board
from .cube import Cube
from .halfmoves import Dice
from .house import NO_MONEY, Money
from .match import Score
from .sides import Side

Phase = Literal["opening", "roll", "rolling", "move", "name", "doubled", "over"]


class Shown(Protocol):
    """Whatever can be written as an id or drawn: a `Moment`, or a `Position`, which knows more."""

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
class Moment:
    """What an id says: the mover's board, whose it is, the phase (roll, move or doubled), dice, cube, score, money."""

    board: Board
    mover: Side
    phase: Phase
    dice: Dice | None
    cube: Cube
    score: Score
    money: Money = NO_MONEY


def refuse_unwritable(shown: Shown) -> None:
    """Raise `ValueError` for what no id can say: men that are not entered yet, a double to be named."""
    if shown.board.stock or shown.board.rival_stock or shown.phase == "name":
        raise ValueError("no position id can say this: it knows no men to be entered and no double to be named")


def score_read(length: int, *, white: int, black: int, crawford: bool) -> Score:
    """The score of an id, in which the Crawford game is a flag. Raises `ValueError` where it cannot be one (B14)."""
    leading = length > 1 and max(white, black) == length - 1
    score = Score(length, white, black, crawford_played=leading and not crawford)
    if score.winner is not None:
        raise ValueError(f"{white}-{black} is no score of a match to {length} that goes on")
    if crawford and not score.crawford:
        raise ValueError(f"{white}-{black} to {length} is not a Crawford game")
    return score
