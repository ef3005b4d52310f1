"""A position as FEN, the way PDN writes it: ``B:W36,K40:B1,2`` - the colour to move, then the pieces of each."""

from __future__ import annotations

import re

from .board import NUMBERS, Board, bits, numbers
from .sides import Colour

LONGEST = 600
"""No position needs a longer text."""

_COLOURS: dict[str, Colour] = {"B": "black", "W": "white"}
_PIECES = re.compile(r"K?([0-9]{1,2})(?:-([0-9]{1,2}))?")


def write(board: Board, colour: Colour) -> str:
    """Format a position with `colour` to move: White's pieces first, by ascending square, K before a king."""
    return f"{colour[0].upper()}:W{_pieces(board, 'white')}:B{_pieces(board, 'black')}"


def _pieces(board: Board, colour: Colour) -> str:
    kings = board.kings_of(colour)
    return ",".join(f"K{number}" if number in kings else str(number) for number in sorted((*board.men(colour), *kings)))


def read(text: str) -> tuple[Board, Colour]:
    """Parse a FEN into the board and the colour to move.

    Either colour may come first; spaces, ranges (``1-15``) and a full stop are accepted. Raises `ValueError` with the
    error message for the caller.
    """
    if len(text) > LONGEST:
        raise ValueError("fen is too long")
    parts = "".join(text.upper().split()).removesuffix(".").split(":")
    if len(parts) != 3:
        raise ValueError("fen is not side:W...:B...")
    if parts[0] not in _COLOURS:
        raise ValueError("fen does not begin with B or W, the side to move")
    found: dict[Colour, int] = {}
    kings = 0
    for part in parts[1:]:
        colour = _COLOURS.get(part[:1])
        if colour is None or colour in found:
            raise ValueError("fen does not name the men of W and of B once each")
        found[colour] = 0
        for word in part[1:].split(",") if part[1:] else ():
            placed = _squares(word)
            if twice := placed & sum(found.values()):
                raise ValueError(f"fen has square {numbers(twice)[0]} twice")
            found[colour] |= placed
            kings |= placed if word[0] == "K" else 0
    return Board(found["black"], found["white"], kings).checked(), _COLOURS[parts[0]]


def _squares(piece: str) -> int:
    """The bit set of the squares that one word names."""
    shape = _PIECES.fullmatch(piece)
    if not shape:
        raise ValueError(f"fen has {piece!r} where a square should be")
    first, last = int(shape[1]), int(shape[2] or shape[1])
    if first not in NUMBERS or last not in NUMBERS or last < first:
        raise ValueError(f"fen has {piece!r}: squares are numbered {NUMBERS.start} to {NUMBERS.stop - 1}")
    return bits(range(first, last + 1))
