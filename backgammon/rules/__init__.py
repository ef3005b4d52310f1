"""The rules of backgammon and its variants: pure values, standard library only, no Django.

`RULES[variant]` starts or restores a game. A `Position` lists the legal actions and returns the position after one; an
illegal action raises `Illegal`, which cites a ruling of docs/rulings.md. `Board` and `plays_of` are the layer below.
"""

from backgammon.rules.half_moves import Dice, HalfMove
from backgammon.rules.position_fields import PositionFields

from .board import BAR, OFF, STOCK, Board, BoardError
from .cube import Cube
from .house import House, Money
from .illegal import Illegal
from .match import Score
from .plays import Plays, plays_of, whole_plays
from .position import Position
from .rulebook import RULES, VariantRules
from .scoring import Outcome
from .sides import SIDES, Side, Turn, opponent
from .terms import Term
from .variants import VARIANTS, Variant

__all__ = [
    "BAR",
    "OFF",
    "RULES",
    "SIDES",
    "STOCK",
    "VARIANTS",
    "Board",
    "BoardError",
    "Cube",
    "Dice",
    "HalfMove",
    "House",
    "Illegal",
    "Money",
    "Outcome",
    "Plays",
    "Position",
    "PositionFields",
    "Score",
    "Side",
    "Term",
    "Turn",
    "Variant",
    "VariantRules",
    "opponent",
    "plays_of",
    "whole_plays",
]
