"""The two sides of a game, and the four values of a turn."""

from __future__ import annotations

from typing import Literal

Side = Literal["white", "black"]
Turn = Literal["white", "black", "chance", "over"]

SIDES: tuple[Side, Side] = ("white", "black")


def opponent(side: Side) -> Side:
    """The other side."""
    return "black" if side == "white" else "white"
