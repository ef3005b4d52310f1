"""A game at one moment without its history: what position ids and diagrams can say of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from .board import Board
from .cube import Cube
from .match import Score
from .plays import Dice
from .sides import Side

Phase = Literal["opening", "roll", "rolling", "move", "doubled", "over"]


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


@dataclass(frozen=True, slots=True)
class Moment:
    """What an id says: the mover's board, whose it is, the phase (roll, move or doubled), dice, cube and score."""

    board: Board
    mover: Side
    phase: Phase
    dice: Dice | None
    cube: Cube
    score: Score


def score_read(length: int, *, white: int, black: int, crawford: bool) -> Score:
    """The score of an id, in which the Crawford game is a flag. Raises `ValueError` where it cannot be one (B14)."""
    leading = length > 1 and max(white, black) == length - 1
    score = Score(length, white, black, crawford_played=leading and not crawford)
    if score.winner is not None:
        raise ValueError(f"{white}-{black} is no score of a match to {length} that goes on")
    if crawford and not score.crawford:
        raise ValueError(f"{white}-{black} to {length} is not a Crawford game")
    return score
