"""Perft: the number of move sequences of a given depth, the standard check of a move generator."""

from __future__ import annotations

from .board import Board
from .moves import captures_of, played, quiet_count, quiet_of
from .sides import Colour, opponent


def perft(board: Board, colour: Colour, depth: int, *, compulsory: bool) -> int:
    """The number of sequences of `depth` moves, without huffs; `compulsory` as in the mode obligatoria (D8)."""
    captures = captures_of(board, colour)
    if depth <= 1:
        quiet = 0 if compulsory and captures else quiet_count(board, colour)
        return len(captures) + quiet if depth == 1 else 1
    moves = captures if compulsory and captures else captures + quiet_of(board, colour)
    other_colour = opponent(colour)
    return sum(perft(played(board, move), other_colour, depth - 1, compulsory=compulsory) for move in moves)
