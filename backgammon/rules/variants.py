"""The variants of backgammon: one row of data each. Nothing else compares a variant's key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .board import STOCK, Board
from .halfmoves import Dice
from .match import DEFAULT_LENGTH


@dataclass(frozen=True, slots=True)
class Variant:
    """What one variant says that differs from another; each side sets up the same men on his own places.

    `name`: what people call it, in English. `opening`: ``keep`` - the higher die starts and plays both numbers as
    thrown (B3); ``reroll`` - he rolls anew (A1). `bonus`: the roll after which a double is named and one rolls again
    (A4). `scoring`: ``gammons`` - single, gammon, backgammon times the cube (B11); ``men_left`` - the loser's men not
    off (A6). `cube`: whether it is played with one, and so in money sessions too. `clock`: whether a reserve of time
    lasts a ``match`` or a ``game``. `lengths`: the usual lengths of a match, the first being the most usual (B13, A6).
    `points_a_game`: how many points of a match weigh in ratings as one point of backgammon (ruling R2).
    """

    key: str
    name: str
    setup: tuple[tuple[int, int], ...]
    opening: Literal["keep", "reroll"] = "keep"
    bonus: Dice | None = None
    scoring: Literal["gammons", "men_left"] = "gammons"
    cube: bool = True
    clock: Literal["match", "game"] = "match"
    lengths: tuple[int, ...] = (DEFAULT_LENGTH, 1, 3, 7, 9, 11)
    points_a_game: int = 1

    @property
    def men(self) -> int:
        """How many men each side has."""
        return sum(count for _, count in self.setup)

    @property
    def stock(self) -> bool:
        """Whether men may wait to be entered."""
        return any(place == STOCK for place, _ in self.setup)

    @property
    def board(self) -> Board:
        """The board at the start; it looks the same from both sides (B2)."""
        return Board.setup(self.setup)


_ROWS = (
    Variant("backgammon", "Backgammon", setup=((24, 2), (13, 5), (8, 3), (6, 5))),
    Variant("nackgammon", "Nackgammon", setup=((24, 2), (23, 2), (13, 4), (8, 3), (6, 4))),
    Variant("hypergammon", "Hypergammon", setup=((24, 1), (23, 1), (22, 1))),
    Variant("longgammon", "Longgammon", setup=((24, 15),)),
    Variant(
        "acey-deucey",
        "Acey-deucey",
        setup=((STOCK, 15),),
        opening="reroll",
        bonus=(1, 2),
        scoring="men_left",
        cube=False,
        clock="game",
        lengths=(15, 30, 50),
        points_a_game=5,
    ),
)

VARIANTS: dict[str, Variant] = {variant.key: variant for variant in _ROWS}
