"""The part of a position that a move changes and `compel` restores: board, colour to move, draw counts (D7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from . import fen
from .board import BIT, Board
from .moves import Move, played
from .sides import Colour, opponent

KINGS_PLIES = 10
"""Plies until a draw once only kings are left: five moves each (D7)."""
QUIET_PLIES = 50
"""Plies after which a draw can be claimed: 25 moves each without a capture or a man's move (D7)."""
REPEATED = 3
"""Occurrences of a position after which a draw can be claimed (D7)."""


@dataclass(frozen=True, slots=True)
class GameState:
    """The board, the colour to move, and the counts of this game.

    `king_history`: where the kings stood after each move since the last capture, man's move or huff, the present last;
    nothing else can differ between those positions. It stops growing once a draw can be claimed without it.
    `plies`: moves made in this game. `plies_left`: plies until the draw of kings, or None while there are men.
    """

    board: Board
    mover: Colour
    king_history: tuple[str, ...]
    plies: int
    plies_left: int | None

    @classmethod
    def start(cls) -> Self:
        """Black opens (D1)."""
        return cls.at(Board.start(), "black")

    @classmethod
    def at(cls, board: Board, mover: Colour) -> Self:
        """The state of a board without previous moves."""
        return cls(board, mover, (_kings(board),), 0, KINGS_PLIES if board.only_kings else None)

    def after(self, move: Move) -> Self:
        """The state after a move of `mover`."""
        board = played(self.board, move)
        king_history: tuple[str, ...] = (_kings(board),)
        if not move.captured and self.board.kings & BIT[move.source]:
            king_history = (
                (*self.king_history, *king_history) if len(self.king_history) <= QUIET_PLIES else self.king_history
            )
        plies_left = KINGS_PLIES if board.only_kings else None
        if self.plies_left is not None:
            plies_left = self.plies_left - 1
        return replace(
            self,
            board=board,
            mover=opponent(self.mover),
            king_history=king_history,
            plies=self.plies + 1,
            plies_left=plies_left,
        )

    def huffed(self, square: int) -> Self:
        """The state after the piece on a square was huffed, which is no move: the same colour is to move (D8)."""
        board = self.board.without(BIT[square])
        plies_left = KINGS_PLIES if board.only_kings and self.plies_left is None else self.plies_left
        return replace(self, board=board, king_history=(_kings(board),), plies_left=plies_left)

    @property
    def claimable(self) -> bool:
        """Whether the side to move may claim a draw: threefold repetition, or 25 quiet moves each with kings (D7)."""
        # Every other entry has the same side to move; two that differ in it are two positions.
        return len(self.king_history) > QUIET_PLIES or self.king_history[::-2].count(self.king_history[-1]) >= REPEATED

    def snapshot(self) -> dict[str, Any]:
        """The state as JSON; `GameState.restore` reads it back."""
        position = fen.write(self.board, self.mover)
        return {"fen": position, "since": list(self.king_history), "plies": self.plies, "left": self.plies_left}

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Self:
        """Restore the state of a snapshot."""
        board, mover = fen.read(snapshot["fen"])
        return cls(board, mover, tuple(snapshot["since"]), snapshot["plies"], snapshot["left"])


def _kings(board: Board) -> str:
    """The squares of both colours' kings as a short text."""
    return "/".join(",".join(map(str, board.kings_of(colour))) for colour in ("black", "white"))
