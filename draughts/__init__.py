"""The rules of draughts on 100 squares as the club plays it (damas): pure values, standard library only, no Django.

`RULES["damas"]` starts or restores a game. A `Position` lists the legal actions and returns the position after one; an
illegal action raises `Illegal`, which cites a ruling of docs/rulings.md. `Board`, `moves_of`, FEN and PDN are the layer
below.
"""

from draughts.options import MatchOptions, Term
from draughts.state import GameState

from .board import Board
from .huff import Infraction
from .illegal import Illegal
from .moves import Move, Moves, moves_of, played
from .position import Position
from .rulebook import RULES, DraughtsRules
from .score import Outcome, Score
from .sides import SIDES, Colour, Side, Turn, opponent

__all__ = [
    "RULES",
    "SIDES",
    "Board",
    "Colour",
    "DraughtsRules",
    "GameState",
    "Illegal",
    "Infraction",
    "MatchOptions",
    "Move",
    "Moves",
    "Outcome",
    "Position",
    "Score",
    "Side",
    "Term",
    "Turn",
    "moves_of",
    "opponent",
    "played",
]
