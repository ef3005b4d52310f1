"""The two seats of a match, the two colours of the men, and the four answers to "whose turn is it?".

A *side* is a seat for the whole match; the *colour* of the men that it plays changes from game to game (D9). Both have
the names white and black, so a name never says by itself which of the two is meant: annotations do.
"""

from __future__ import annotations

from typing import Literal

Side = Literal["white", "black"]
Colour = Literal["white", "black"]
Turn = Literal["white", "black", "chance", "over"]

SIDES: tuple[Side, Side] = ("white", "black")
COLOURS: tuple[Colour, Colour] = ("white", "black")


def rival(side: Literal["white", "black"]) -> Literal["white", "black"]:
    """The other side, or the other colour."""
    return "black" if side == "white" else "white"
