"""Optional rules that two players may agree on: house rules (H1, H2) and the rules of money sessions (B16)."""

from __future__ import annotations

from typing import NamedTuple

from .board import HOME, wire_of


class House(NamedTuple):
    """The house rules of a match: `desahogo`, breathing space (H1), and `as_libre`, the free ace (H2)."""

    desahogo: bool = False
    as_libre: bool = False

    @property
    def free(self) -> int:
        """The highest point from which any number bears off when all checkers are home: 1 with the free ace, else 0."""
        return int(self.as_libre)


class Money(NamedTuple):
    """The options of a money session (B16). They concern the cube: without a cube they have no effect."""

    jacoby: bool = False
    beavers: bool = False
    auto_doubles: bool = False


PLAIN = House()
"""No house rules: standard backgammon."""

NO_MONEY = Money()
"""No money option: a match to N, or a plain money session."""


def closes_out(code: int) -> bool:
    """Whether the mover holds all six home points while the opponent has a checker on the bar (H1)."""
    wire = wire_of(code)
    return wire[28] > 0 and min(wire[3 : 3 + HOME]) > 1
