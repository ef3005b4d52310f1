"""What a move changes and `compel` takes back: the men, whose move it is, and what the draws count (D7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from . import fen
from .board import BIT, Board
from .moves import Move, played
from .sides import Colour, rival

KINGS_PLIES = 10
"""Only kings left: five moves each, and the game is drawn (D7)."""
QUIET_PLIES = 50
"""Twenty-five moves each without a capture or a man's move: a draw can be claimed (D7)."""
REPEATED = 3


@dataclass(frozen=True, slots=True)
class Moment:
    """The board, the colour to move, and the counts of this game.

    `since`: where the kings stood after each move since the last capture, man's move or huff, the present last; nothing
    else can differ between those positions. It stops growing where a draw can be claimed without it.
    `plies`: moves made in this game. `left`: plies until the draw of the kings, or None while there are men.
    """

    board: Board
    mover: Colour
    since: tuple[str, ...]
    plies: int = 0
    left: int | None = None

    @classmethod
    def start(cls) -> Self:
        """Black opens (D1)."""
        return cls.at(Board.start(), "black")

    @classmethod
    def at(cls, board: Board, mover: Colour) -> Self:
        """A position without a past."""
        return cls(board, mover, (_kings(board),), left=KINGS_PLIES if board.only_kings else None)

    def after(self, move: Move) -> Self:
        """The moment after a move of `mover`."""
        board = played(self.board, move)
        since: tuple[str, ...] = (_kings(board),)
        if not move.taken and self.board.kings & BIT[move.source]:
            since = (*self.since, *since) if len(self.since) <= QUIET_PLIES else self.since
        left = KINGS_PLIES if board.only_kings else None
        if self.left is not None:
            left = self.left - 1
        return replace(self, board=board, mover=rival(self.mover), since=since, plies=self.plies + 1, left=left)

    def huffed(self, square: int) -> Self:
        """The moment after the piece on a square was huffed: no move of either side, so it is still `mover`'s (D8)."""
        board = self.board.without(BIT[square])
        left = KINGS_PLIES if board.only_kings and self.left is None else self.left
        return replace(self, board=board, since=(_kings(board),), left=left)

    @property
    def claimable(self) -> bool:
        """Whether the side to move may claim a draw: threefold repetition, or 25 quiet moves each with kings (D7)."""
        # Every other entry has the same side to move; two that differ in it are two positions.
        return len(self.since) > QUIET_PLIES or self.since[::-2].count(self.since[-1]) >= REPEATED

    def snapshot(self) -> dict[str, Any]:
        """The moment as JSON; `Moment.restore` reads it back."""
        position = fen.write(self.board, self.mover)
        return {"fen": position, "since": list(self.since), "plies": self.plies, "left": self.left}

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> Self:
        """The moment that made this snapshot."""
        board, mover = fen.read(snapshot["fen"])
        return cls(board, mover, tuple(snapshot["since"]), snapshot["plies"], snapshot["left"])


def _kings(board: Board) -> str:
    """Where the kings of both stand, in short."""
    return "/".join(",".join(map(str, board.kings_of(colour))) for colour in ("black", "white"))
