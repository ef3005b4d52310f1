"""The two seats of a match, the two colours of the pieces, and the four values of a turn.

A *side* is a seat for the whole match; the *colour* of the pieces that it plays changes from game to game (D9). Both
have the names white and black, so only the type annotations tell which of the two is meant.
"""

from __future__ import annotations

from typing import Literal

Side = Literal["white", "black"]
Colour = Literal["white", "black"]
Turn = Literal["white", "black", "chance", "over"]

SIDES: tuple[Side, Side] = ("white", "black")
COLOURS: tuple[Colour, Colour] = ("white", "black")


def opponent(side: Literal["white", "black"]) -> Literal["white", "black"]:
    """The other side, or the other colour."""
    return "black" if side == "white" else "white"
