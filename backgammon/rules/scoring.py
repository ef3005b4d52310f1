"""The points of a finished game, and the levels at which a game may be resigned (B11, B15, B16, A6)."""

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
    """The result of a game: `points` for `winner`, and the `kind`: single, gammon, backgammon, points, drop or flag."""

    winner: Side
    points: int
    kind: str

    def view(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {"winner": self.winner, "points": self.points, "kind": self.kind}


class Scoring(Protocol):
    """One way to score a game; every board is seen from the winner."""

    @property
    def ruling(self) -> str:
        """The ruling that defines the points of a game, and so whether there is a cube or a draw."""

    @property
    def resigns_at_once(self) -> bool:
        """Whether a resignation gives all that can still be lost, so that it needs no answer."""

    def win(self, board: Board, cube: Cube, money: Money) -> tuple[int, str]:
        """The points and the kind of a game won by bearing off the last checker."""

    def open_levels(self, board: Board, cube: Cube, money: Money) -> dict[int, tuple[int, str]]:
        """The points and the kind of each level at which the game could still be lost."""

    def flagged(self, board: Board, cube: Cube) -> int:
        """The points of a game lost on time."""


class Gammons:
    """Single, gammon and backgammon, times the cube."""

    ruling = "B11"
    resigns_at_once = False

    def win(self, board: Board, cube: Cube, money: Money) -> tuple[int, str]:
        factor = SINGLE if _jacoby(cube, money) else level(board)
        return factor * cube.value, KINDS[factor]

    def open_levels(self, board: Board, cube: Cube, money: Money) -> dict[int, tuple[int, str]]:
        levels = (SINGLE,) if _jacoby(cube, money) else resignable_levels(board)
        return {lost: (lost * cube.stake, KINDS[lost]) for lost in levels}

    def flagged(self, board: Board, cube: Cube) -> int:
        return cube.stake


class CheckersLeft:
    """One point for each checker that the loser has not borne off (A6)."""

    ruling = "A6"
    resigns_at_once = True

    def win(self, board: Board, cube: Cube, money: Money) -> tuple[int, str]:
        return self.flagged(board, cube), "points"

    def open_levels(self, board: Board, cube: Cube, money: Money) -> dict[int, tuple[int, str]]:
        return {SINGLE: self.win(board, cube, money)}

    def flagged(self, board: Board, cube: Cube) -> int:
        return board.checkers[1] - board.opponent_off


SCORINGS: dict[str, Scoring] = {"gammons": Gammons(), "checkers_left": CheckersLeft()}


def level(board: Board) -> int:
    """The level that the mover wins by bearing off the last checker (B11).

    1; 2 if the loser has borne off none; 3 if the loser also has a checker in the winner's home or on the bar.
    """
    if board.opponent_off:
        return SINGLE
    return BACKGAMMON if _backgammoned(board) else GAMMON


def resignable_levels(board: Board) -> tuple[int, ...]:
    """The levels at which the mover's opponent could still lose, and so may resign (B15).

    A player who has borne off a checker can only lose a single game. A backgammon needs a checker in the winner's home
    or on the bar, or one that may still be hit; the dice that it would need are not considered.
    """
    if board.opponent_off:
        return (SINGLE,)
    if _backgammoned(board) or board.contact:
        return (SINGLE, GAMMON, BACKGAMMON)
    return (SINGLE, GAMMON)


def _backgammoned(board: Board) -> bool:
    """Whether the opponent has a checker in the mover's home or on the bar."""
    return board.opponent_bar > 0 or min(board.points[:6]) < 0


def _jacoby(cube: Cube, money: Money) -> bool:
    """Whether gammons count single, because the cube has not been turned (B16)."""
    return money.jacoby and cube.in_play and not cube.turned
