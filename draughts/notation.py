"""The notation of moves: one canonical form, shared by database, wire and tests, and a parser of other forms.

Canonical: ``11-16``, and ``17x28`` for a capture; where two captures share their first and last square, every square on
which the piece lands (``17x22x28``). Accepted too: spaces, ``11 16``, ``17:28``, and more squares than necessary; and
``17-28`` for a capture where the piece could not make that quiet move.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .board import Board
from .illegal import Illegal
from .moves import Move, goes_through, moves_of
from .sides import Colour

LONGEST = 100
"""No move needs a longer text."""

_MOVE = re.compile(r"[0-9]{1,2}(?:(?: ?[-x:] ?| )[0-9]{1,2})+")


class ParsedMove(NamedTuple):
    """A move as written: the squares that it names, and its sign: capture (x), quiet (-) or none."""

    squares: tuple[int, ...]
    sign: str


def parse(text: str) -> ParsedMove:
    """Parse a text. Raises `Illegal` (`unreadable_move`)."""
    words = " ".join(text.lower().split())
    if len(words) > LONGEST or not _MOVE.fullmatch(words):
        raise Illegal("unreadable_move", text=words[:LONGEST])
    squares = tuple(int(number) for number in re.findall("[0-9]+", words))
    return ParsedMove(squares, "x" if re.search("[x:]", words) else "-" if "-" in words else "")


def texts(moves: Iterable[Move]) -> dict[str, Move]:
    """The moves by their texts."""
    listed = list(moves)
    shared = Counter((move.source, move.target) for move in listed if move.captured)
    return {_text(move, whole=shared[move.source, move.target] > 1): move for move in listed}


def text_of(move: Move, moves: Iterable[Move]) -> str:
    """The text of one of the moves."""
    ends = move.source, move.target
    return _text(move, whole=sum(1 for each in moves if each.captured and (each.source, each.target) == ends) > 1)


def _text(move: Move, *, whole: bool) -> str:
    if not move.captured:
        return f"{move.source}-{move.target}"
    return "x".join(map(str, move.path if whole else (move.source, move.target)))


def find(board: Board, colour: Colour, moves: Sequence[Move], parsed: ParsedMove) -> Move | None:
    """The legal move that fits a parsed move, or None. Raises `Illegal` (`ambiguous_capture`).

    Two squares without the sign of a capture mean the quiet move between them wherever the piece could make it, even
    if it must capture instead; only elsewhere may they stand for a capture. A text that names every landing square of a
    capture means that capture; any other may leave squares out.
    """
    ends = parsed.squares[0], parsed.squares[-1]
    if len(parsed.squares) == 2 and parsed.sign != "x":
        for quiet in moves_of(board, colour).quiet:
            if (quiet.source, quiet.target) == ends:
                return quiet if quiet in moves else None
    captures = [each for each in moves if each.captured and (each.source, each.target) == ends]
    for exactly in (True, False):
        named = [each for each in captures if goes_through(board, colour, each, parsed.squares, exactly=exactly)]
        if len(named) == 1:
            return named[0]
        if named:
            raise Illegal("ambiguous_capture", "D2", text="x".join(map(str, parsed.squares)))
    return None
