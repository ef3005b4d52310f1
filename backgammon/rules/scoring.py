"""What a finished game is worth, and what a player who gives up may still offer (B11, B15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .board import Board
from .sides import Side

SINGLE, GAMMON, BACKGAMMON = 1, 2, 3
KINDS = {SINGLE: "single", GAMMON: "gammon", BACKGAMMON: "backgammon"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `points` for `winner`, and the `kind`: single, gammon, backgammon or drop."""

    winner: Side
    points: int
    kind: str

    def view(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {"winner": self.winner, "points": self.points, "kind": self.kind}


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
