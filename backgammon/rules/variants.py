"""The variants of backgammon: one row of data each. Nothing else compares a variant's key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .board import Board


@dataclass(frozen=True, slots=True)
class Variant:
    """What one variant says that differs from another; each side sets up the same men on his own points.

    `opening`: ``keep`` - the higher die starts and plays both numbers as thrown (B3); ``reroll`` - he rolls anew.
    `scoring`: ``gammons`` - single, gammon, backgammon times the cube (B11); ``men_left`` - the loser's men not off.
    `cube`: whether the variant is played with one. `stock`: whether men may wait to be entered.
    """

    key: str
    setup: tuple[tuple[int, int], ...]
    opening: Literal["keep", "reroll"] = "keep"
    scoring: Literal["gammons", "men_left"] = "gammons"
    cube: bool = True
    stock: bool = False

    @property
    def men(self) -> int:
        """How many men each side has."""
        return sum(count for _, count in self.setup)

    @property
    def board(self) -> Board:
        """The board at the start; it looks the same from both sides (B2)."""
        return Board.setup(self.setup)


BACKGAMMON = Variant("backgammon", setup=((24, 2), (13, 5), (8, 3), (6, 5)))
NACKGAMMON = Variant("nackgammon", setup=((24, 2), (23, 2), (13, 4), (8, 3), (6, 4)))
HYPERGAMMON = Variant("hypergammon", setup=((24, 1), (23, 1), (22, 1)))

VARIANTS: dict[str, Variant] = {variant.key: variant for variant in (BACKGAMMON, NACKGAMMON, HYPERGAMMON)}
