"""Captures and moves written again in the plainest way, to compare `draughts.moves` with: rows, columns, recursion."""

from __future__ import annotations

from collections.abc import Iterator

Piece = tuple[str, bool]
"""A colour and whether it is a king."""
Squares = dict[int, Piece]
Result = tuple[int, int, tuple[int, ...]]
"""From, to, and the captured squares, ascending."""

DIAGONALS = ((1, -1), (1, 1), (-1, -1), (-1, 1))


def place(square: int) -> tuple[int, int]:
    """Row and column of a square, both from 0."""
    row, at = divmod(square - 1, 5)
    return row, 2 * at + (row % 2 == 0)


SQUARE = {place(square): square for square in range(1, 51)}


def line(square: int, direction: tuple[int, int]) -> list[int]:
    """The squares from one on in a direction."""
    row, column = place(square)
    found = []
    while (row := row + direction[0], column := column + direction[1]) in SQUARE:
        found.append(SQUARE[row, column])
    return found


def forward(colour: str) -> tuple[tuple[int, int], ...]:
    return DIAGONALS[:2] if colour == "black" else DIAGONALS[2:]


def captures(pieces: Squares, colour: str) -> set[Result]:
    """All captures that may be played, king first."""
    kings = _captures(pieces, colour, king=True)
    return kings or _captures(pieces, colour, king=False)


def _captures(pieces: Squares, colour: str, *, king: bool) -> set[Result]:
    return {
        (square, to, tuple(sorted(captured)))
        for square, piece in pieces.items()
        if piece == (colour, king)
        for to, captured in _endings({each: pieces[each] for each in pieces if each != square}, piece, square, ())
        if captured
    }


def _endings(
    pieces: Squares, piece: Piece, at: int, captured: tuple[int, ...]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Where a capture can end; `pieces` are all others on the board, including those already captured."""
    jumps = list(_jumps(pieces, piece, at, captured))
    if not jumps:
        yield at, captured
    for over, land in jumps:
        yield from _endings(pieces, piece, land, (*captured, over))


def _jumps(pieces: Squares, piece: Piece, at: int, captured: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    colour, king = piece
    for direction in DIAGONALS if king else forward(colour):
        squares = line(at, direction) if king else line(at, direction)[:2]
        over = next((square for square in squares if square in pieces), None)
        if over is None or pieces[over][0] == colour or over in captured or (not king and over != squares[0]):
            continue
        for land in squares[squares.index(over) + 1 :]:
            if land in pieces:
                break
            yield over, land


def quiet(pieces: Squares, colour: str) -> set[Result]:
    """All moves that capture nothing."""
    found = set()
    for square, (owner, king) in pieces.items():
        if owner != colour:
            continue
        for direction in DIAGONALS if king else forward(colour):
            for land in line(square, direction) if king else line(square, direction)[:1]:
                if land in pieces:
                    break
                found.add((square, land, ()))
    return found
