"""The rules of backgammon and its kin: pure values, standard library only, no Django.

`RULES[variant]` starts a game or restores one; a `Position` says what may be done and what comes of it; what it
refuses it refuses with `Illegal`, citing a ruling of docs/rulings.md. Below them: `Board` and `plays_of`.
"""

from .board import BAR, OFF, STOCK, Board, BoardError
from .cube import Cube
from .halfmoves import Dice, HalfMove
from .house import House, Money
from .illegal import Illegal
from .match import Score
from .moment import Moment
from .plays import Plays, plays_of, whole_plays
from .position import Position
from .rulebook import RULES, VariantRules
from .scoring import Outcome
from .sides import SIDES, Side, Turn, rival
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
    "Moment",
    "Money",
    "Outcome",
    "Plays",
    "Position",
    "Score",
    "Side",
    "Term",
    "Turn",
    "Variant",
    "VariantRules",
    "plays_of",
    "rival",
    "whole_plays",
]
