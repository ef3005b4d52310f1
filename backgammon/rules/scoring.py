"""What a finished game is worth, and what a player who gives up may still offer (B11, B15, B16, A6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from .board import Board
from .cube import Cube
from .house import Money
from .sides import Side

SINGLE, GAMMON, BACKGAMMON = 1, 2, 3
KINDS = {SINGLE: "single", GAMMON: "gammon", BACKGAMMON: "backgammon"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `points` for `winner`, and the `kind`: single, gammon, backgammon, points, drop or flag."""

    winner: Side
    points: int
    kind: str

    def view(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {"winner": self.winner, "points": self.points, "kind": self.kind}


class Scoring(Protocol):
    """One way to count a game; every board is seen from the winner."""

    @property
    def ruling(self) -> str:
        """The ruling that says what a game is worth, and so whether there is a cube or a draw."""

    @property
    def at_once(self) -> bool:
        """Whether giving up gives all that could still be lost, so that it needs no answer."""

    def won(self, board: Board, cube: Cube, money: Money) -> tuple[int, str]:
        """The points and the kind of a game that was won by bearing off the last man."""

    def open(self, board: Board, cube: Cube, money: Money) -> dict[int, tuple[int, str]]:
        """The points and the kind of each level at which the game could still be lost."""

    def flagged(self, board: Board, cube: Cube) -> int:
        """The points of a game that was lost on time."""


class Gammons:
    """Single, gammon and backgammon, times the cube."""

    ruling = "B11"
    at_once = False

    def won(self, board: Board, cube: Cube, money: Money) -> tuple[int, str]:
        won = SINGLE if _jacoby(cube, money) else level(board)
        return won * cube.value, KINDS[won]

    def open(self, board: Board, cube: Cube, money: Money) -> dict[int, tuple[int, str]]:
        levels = (SINGLE,) if _jacoby(cube, money) else levels_open(board)
        return {lost: (lost * cube.stake, KINDS[lost]) for lost in levels}

    def flagged(self, board: Board, cube: Cube) -> int:
        return cube.stake


class MenLeft:
    """A point for each man that the loser has not borne off (A6)."""

    ruling = "A6"
    at_once = True

    def won(self, board: Board, cube: Cube, money: Money) -> tuple[int, str]:
        return self.flagged(board, cube), "points"

    def open(self, board: Board, cube: Cube, money: Money) -> dict[int, tuple[int, str]]:
        return {SINGLE: self.won(board, cube, money)}

    def flagged(self, board: Board, cube: Cube) -> int:
        return board.men[1] - board.rival_off


SCORINGS: dict[str, Scoring] = {"gammons": Gammons(), "men_left": MenLeft()}


def level(board: Board) -> int:
    """What the mover has won by bearing off his last man (B11).

    1; 2 if the loser has borne off none; 3 if moreover he has a man in the winner's home or on the bar.
    """
    if board.rival_off:
        return SINGLE
    return BACKGAMMON if _caught(board) else GAMMON


def levels_open(board: Board) -> tuple[int, ...]:
    """The levels at which the mover's rival could still lose, and so may resign (B15).

    Who has borne off a man can only lose a single game. A backgammon needs a man in the winner's home or on the bar,
    or one that may still be hit; the dice that it would take are not weighed.
    """
    if board.rival_off:
        return (SINGLE,)
    if _caught(board) or board.contact:
        return (SINGLE, GAMMON, BACKGAMMON)
    return (SINGLE, GAMMON)


def _caught(board: Board) -> bool:
    """Whether the rival has a man in the mover's home or on the bar."""
    return board.rival_bar > 0 or min(board.points[:6]) < 0


def _jacoby(cube: Cube, money: Money) -> bool:
    """Whether gammons count single, because nobody has doubled yet (B16)."""
    return money.jacoby and cube.in_play and not cube.turned
