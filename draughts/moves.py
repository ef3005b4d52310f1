"""The generator of legal moves: quiet moves, and captures, each once for its (from, to, pieces taken).

A capture is searched through the states (square, pieces taken): the taken pieces stay on the board until its end, so
they still block and are never jumped twice (D4), and the square that the piece left is free for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from .board import ALL_SQUARES, BIT, NUMBER, RAYS, STEPS, Board, each, numbers
from .sides import COLOURS, Colour, opponent


class Move(NamedTuple):
    """One move: source, target, the set of pieces that it takes, and one path of the squares where the piece lands."""

    source: int
    target: int
    captured: int
    path: tuple[int, ...]

    @property
    def takes(self) -> tuple[int, ...]:
        """The squares of the pieces taken, ascending."""
        return numbers(self.captured)


class Moves(NamedTuple):
    """The moves of a side, sorted: the captures that may be played (D2, D3), and the quiet moves."""

    captures: tuple[Move, ...]
    quiet: tuple[Move, ...]


def played(board: Board, move: Move) -> Board:
    """The board after a move."""
    return board.moved(BIT[move.source], BIT[move.target], move.captured)


@lru_cache(maxsize=4096)
def moves_of(board: Board, colour: Colour, *, quantity: bool = False) -> Moves:
    """The moves of a colour; with `quantity` only those captures that take the most pieces (D2)."""
    return Moves(tuple(sorted_captures(board, colour, quantity=quantity)), tuple(quiet_of(board, colour)))


def sorted_captures(board: Board, colour: Colour, *, quantity: bool) -> list[Move]:
    """The captures of `moves_of`, without its quiet moves."""
    captures = captures_of(board, colour)
    if quantity and captures:
        most = max(move.captured.bit_count() for move in captures)
        captures = [move for move in captures if move.captured.bit_count() == most]
    return sorted(captures, key=_order) if len(captures) > 1 else captures


def _order(move: Move) -> tuple[int, int, tuple[int, ...]]:
    return move.source, move.target, move.takes


def captures_of(board: Board, colour: Colour) -> list[Move]:
    """The captures that may be played: if a king can capture, only those of kings (D3)."""
    for pieces in (board.of(colour) & board.kings, capturing_men(board, colour)):
        if captures := [move for bit in each(pieces) for move in captures_from(board, colour, bit)]:
            return captures
    return []


def capturing_men(board: Board, colour: Colour) -> int:
    """The men of a colour that stand in front of an opponent's piece with an empty square right behind it (D1)."""
    black, white, kings = board
    free = ALL_SQUARES & ~(black | white)
    if colour == "black":
        return (((free >> 5 & white) >> 5) | ((free >> 6 & white) >> 6)) & black & ~kings
    return (((free << 5 & black) << 5) | ((free << 6 & black) << 6)) & white & ~kings


def captures_from(board: Board, colour: Colour, start: int) -> list[Move]:
    """The finished captures of the piece on bit `start`: each continues until it can take no more (D2)."""
    if not leaps(board, colour, start, start, 0):
        return []
    source = NUMBER[start]
    found = []
    for at, captured, path, finished in _states(board, colour, start):
        if finished and captured:
            found.append(Move(source, NUMBER[at], captured, path))
    return found


def landings_from(board: Board, colour: Colour, start: int) -> set[int]:
    """The squares on which a capture of the piece on bit `start` can land, at its end or on the way."""
    return {NUMBER[at] for at, captured, _, _ in _states(board, colour, start) if captured}


def _states(board: Board, colour: Colour, start: int) -> Iterator[tuple[int, int, tuple[int, ...], bool]]:
    """Each (square, pieces taken) that a capture passes, with one path to it and whether the capture ends there."""
    seen: set[tuple[int, int]] = set()
    waiting: list[tuple[int, int, tuple[int, ...]]] = [(start, 0, (NUMBER[start],))]
    while waiting:
        at, captured, path = waiting.pop()
        jumps = leaps(board, colour, start, at, captured)
        yield at, captured, path, not jumps
        for over, land in jumps:
            state = (land, captured | over)
            if state not in seen:
                seen.add(state)
                waiting.append((*state, (*path, NUMBER[land])))


def leaps(board: Board, colour: Colour, start: int, at: int, captured: int) -> list[tuple[int, int]]:
    """The single jumps (over, landing) from bit `at` of the piece that began on `start` and has taken `taken`."""
    opposing = board.of(opponent(colour)) & ~captured
    free = board.free | start
    if not board.kings & start:
        return [(over, land) for over, land in _FORWARD[colour][at] if over & opposing and land & free]
    found = []
    for ray in RAYS[at]:
        over = 0
        for bit in ray:
            if bit & free:
                if over:
                    found.append((over, bit))
            elif over or not bit & opposing:
                break
            else:
                over = bit
    return found


def quiet_of(board: Board, colour: Colour) -> list[Move]:
    """The quiet moves, sorted: a man one step forward (D1), a king any distance along free squares (D4)."""
    kings, free, steps = board.kings, board.free, _MAN_STEPS[colour]
    found: list[Move] = []
    for bit in each(board.of(colour)):
        if bit & kings:
            found += [_quiet(bit, land) for land in sorted(_flight(bit, free))]
        else:
            found += [move for land, move in steps[bit] if land & free]
    return found


@cache
def _quiet(source: int, target: int) -> Move:
    path = (NUMBER[source], NUMBER[target])
    return Move(*path, 0, path)


def _flight(at: int, free: int) -> Iterator[int]:
    """The squares that a king can move to without a capture."""
    for ray in RAYS[at]:
        for bit in ray:
            if not bit & free:
                break
            yield bit


def _forward(at: int, colour: Colour) -> tuple[tuple[int, int], ...]:
    """The two squares in front of a man, each with the one behind it (D1)."""
    if colour == "black":
        return tuple((at << step, at << 2 * step) for step in STEPS)
    return tuple((at >> step, at >> 2 * step) for step in STEPS)


# Read a million times in a game against the computer, so computed once.
_FORWARD = {colour: {at: _forward(at, colour) for at in NUMBER} for colour in COLOURS}
_MAN_STEPS = {
    colour: {
        at: tuple((land, _quiet(at, land)) for land, _ in sorted(ahead) if land in NUMBER)
        for at, ahead in steps.items()
    }
    for colour, steps in _FORWARD.items()
}
"""The steps of a man from each square, with the square it moves to."""


def quiet_count(board: Board, colour: Colour) -> int:
    """The number of quiet moves, counted without building them."""
    black, white, kings = board
    free = ALL_SQUARES & ~(black | white)
    if colour == "black":
        own, men = black & kings, black & ~kings
        count = (men << 5 & free).bit_count() + (men << 6 & free).bit_count()
    else:
        own, men = white & kings, white & ~kings
        count = (men >> 5 & free).bit_count() + (men >> 6 & free).bit_count()
    return count + sum(1 for bit in each(own) for _ in _flight(bit, free)) if own else count


def goes_through(board: Board, colour: Colour, move: Move, squares: Sequence[int], *, exactly: bool) -> bool:
    """Whether a capture can be played through these squares in order, its first and last among them.

    `exactly`: it lands on no other square; else there may be others between them.
    """
    start = BIT[move.source]
    waiting = [(start, 0, 1)]
    seen = set(waiting)
    while waiting:
        at, captured, named = waiting.pop()
        if captured == move.captured and NUMBER[at] == move.target and named == len(squares):
            return True
        for over, land in leaps(board, colour, start, at, captured):
            hit = named < len(squares) and NUMBER[land] == squares[named]
            state = (land, captured | over, named + hit)
            if over & move.captured and (hit or not exactly) and state not in seen:
                seen.add(state)
                waiting.append(state)
    return False
