"""What two players may agree on besides the standard rules: house options (H1, H2) and money play (B16)."""

from __future__ import annotations

from typing import NamedTuple

from .board import HOME, wire_of


class House(NamedTuple):
    """The house options of a match: `desahogo`, breathing space (H1), and `as_libre`, the free ace (H2)."""

    desahogo: bool = False
    as_libre: bool = False

    @property
    def free(self) -> int:
        """The highest point from which any number bears a man off when all are home: 1 with the free ace, else 0."""
        return int(self.as_libre)


class Money(NamedTuple):
    """The switches of a money session (B16). They concern the cube: in a session without one they do nothing."""

    jacoby: bool = False
    beavers: bool = False
    auto_doubles: bool = False


PLAIN = House()
"""No house options: backgammon as everybody plays it."""

NO_MONEY = Money()
"""No switch of a money session: a match to N, or a session that is played plainly."""


def stifles(code: int) -> bool:
    """Whether the mover holds all six points of his home while his rival has a man on the bar (H1)."""
    wire = wire_of(code)
    return wire[28] > 0 and min(wire[3 : 3 + HOME]) > 1
