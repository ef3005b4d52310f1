"""The board of 100 squares: its 50 dark squares as bits, the pieces on them, and the board after a move (D1, D5).

Squares are numbered 1 to 50 as in PDN, row by row as White sees them from the far left: Black starts on 1-15 and moves
down, White on 36-50 and moves up. A set of squares is one integer. Two rows of five squares take eleven bits, the
eleventh always empty, so a step down is a shift by 5 or 6 everywhere, and a step off the board lands on no square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Self

from .sides import COLOURS, Colour

NUMBERS = range(1, 51)
BIT = {number: 1 << (number - 1 + (number - 1) // 10) for number in NUMBERS}
"""The bit of each square."""
NUMBER = {bit: number for number, bit in BIT.items()}
"""The square of each bit."""
ALL_SQUARES = sum(BIT.values())
STEPS = (5, 6)
"""The two shifts of a step; down (<<) is forward for Black, up (>>) for White."""


def bits(squares: Iterable[int]) -> int:
    """The bit set of some squares."""
    return sum({BIT[number] for number in squares})


def each(squares: int) -> Iterator[int]:
    """The bits of a set, by ascending square."""
    while squares:
        yield (low := squares & -squares)
        squares ^= low


def numbers(squares: int) -> tuple[int, ...]:
    """The square numbers of a set, ascending."""
    return tuple(NUMBER[bit] for bit in each(squares))


def _ray(bit: int, shift: int) -> tuple[int, ...]:
    """The squares from a square in one direction, the nearest first."""
    squares = []
    while (bit := bit << shift if shift > 0 else bit >> -shift) & ALL_SQUARES:
        squares.append(bit)
    return tuple(squares)


RAYS = {bit: tuple(ray for shift in (5, 6, -5, -6) if (ray := _ray(bit, shift))) for bit in NUMBER}
"""The diagonals from each square, the nearest square first."""

HOME: dict[Colour, int] = {"black": bits(range(1, 16)), "white": bits(range(36, 51))}
CROWNING: dict[Colour, int] = {"black": bits(range(46, 51)), "white": bits(range(1, 6))}
"""The opponent's last row, where a man becomes a king (D5)."""


class Board(NamedTuple):
    """The pieces of both colours, as sets of squares; `kings` of both are among them."""

    black: int
    white: int
    kings: int = 0

    @classmethod
    def start(cls) -> Self:
        """Fifteen men each on the three rows nearest to their player (D1)."""
        return cls(HOME["black"], HOME["white"])

    def of(self, colour: Colour) -> int:
        """All pieces of a colour."""
        return self.black if colour == "black" else self.white

    def men(self, colour: Colour) -> tuple[int, ...]:
        """The squares of a colour's men."""
        return numbers(self.of(colour) & ~self.kings)

    def kings_of(self, colour: Colour) -> tuple[int, ...]:
        """The squares of a colour's kings."""
        return numbers(self.of(colour) & self.kings)

    @property
    def free(self) -> int:
        """The empty squares."""
        return ALL_SQUARES & ~(self.black | self.white)

    @property
    def only_kings(self) -> bool:
        """Whether no man is left on the board (D7)."""
        return self.kings == self.black | self.white

    def without(self, captured: int) -> Self:
        """The board without the pieces on a set of squares."""
        return type(self)(self.black & ~captured, self.white & ~captured, self.kings & ~captured)

    def moved(self, source: int, target: int, captured: int) -> Self:
        """The board after the piece on bit `source` moved to bit `target` and took a set; a man may be crowned (D5)."""
        black, white, kings = self.black & ~captured, self.white & ~captured, self.kings & ~captured
        colour: Colour
        if black & source:
            black, colour = black ^ source | target, "black"
        else:
            white, colour = white ^ source | target, "white"
        if kings & source:
            kings = kings ^ source | target
        elif target & CROWNING[colour]:
            kings |= target
        return type(self)(black, white, kings)

    def checked(self) -> Self:
        """Return this board. Raises `ValueError` if it cannot occur in play: a man on its crowning row (D5)."""
        for colour in COLOURS:
            if uncrowned := self.of(colour) & ~self.kings & CROWNING[colour]:
                raise ValueError(f"a man on square {numbers(uncrowned)[0]} would have been crowned: write it with K")
        return self
