"""The variants of backgammon, one row of data each. No other code compares a variant's key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backgammon.rules.half_moves import Dice

from .board import STOCK, Board
from .match import DEFAULT_LENGTH


@dataclass(frozen=True, slots=True)
class Variant:
    """The data in which variants differ; both sides set up the same checkers on their own places.

    `name`: the name in English. `opening`: ``keep`` - the higher die starts and plays both numbers as rolled (B3);
    ``reroll`` - the winner of the opening rolls anew (A1). `bonus`: the roll after which a double is named and the
    player rolls again (A4). `scoring`: ``gammons`` - single, gammon, backgammon times the cube (B11);
    ``checkers_left`` - the loser's checkers not borne off (A6). `cube`: whether it is played with a cube, and so in
    money sessions too. `clock`: whether the reserve of time lasts a ``match`` or a ``game``. `lengths`: the usual match
    lengths, the first being the most usual (B13, A6). `points_a_game`: how many points of a match weigh in ratings as
    one point of backgammon (ruling R2).
    """

    key: str
    name: str
    setup: tuple[tuple[int, int], ...]
    opening: Literal["keep", "reroll"] = "keep"
    bonus: Dice | None = None
    scoring: Literal["gammons", "checkers_left"] = "gammons"
    cube: bool = True
    clock: Literal["match", "game"] = "match"
    lengths: tuple[int, ...] = (DEFAULT_LENGTH, 1, 3, 7, 9, 11)
    points_a_game: int = 1

    @property
    def checkers(self) -> int:
        """How many checkers each side has."""
        return sum(count for _, count in self.setup)

    @property
    def stock(self) -> bool:
        """Whether checkers may wait to be entered."""
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
        scoring="checkers_left",
        cube=False,
        clock="game",
        lengths=(15, 30, 50),
        points_a_game=5,
    ),
)

VARIANTS: dict[str, Variant] = {variant.key: variant for variant in _ROWS}
