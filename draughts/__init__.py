"""The rules of draughts on 100 squares as the club plays it (damas): pure values, standard library only, no Django.

`RULES["damas"]` starts a game or restores one; a `Position` says what may be done and what comes of it; what it
refuses it refuses with `Illegal`, citing a ruling of docs/rulings.md. Below them: `Board`, `moves_of`, FEN and PDN.
"""

from .board import Board
from .huff import Infraction
from .illegal import Illegal
from .law import Law, Term
from .moment import Moment
from .moves import Move, Moves, moves_of, played
from .position import Position
from .rulebook import RULES, DraughtsRules
from .score import Outcome, Score
from .sides import SIDES, Colour, Side, Turn, rival

__all__ = [
    "RULES",
    "SIDES",
    "Board",
    "Colour",
    "DraughtsRules",
    "Illegal",
    "Infraction",
    "Law",
    "Moment",
    "Move",
    "Moves",
    "Outcome",
    "Position",
    "Score",
    "Side",
    "Term",
    "Turn",
    "moves_of",
    "played",
    "rival",
]
