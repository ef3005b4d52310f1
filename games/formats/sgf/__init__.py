"""Matches as SGF, FF[4] GM[6]: a tree a game. `read` takes the standard and GNU Backgammon's dialect, `write` gives
the standard. Points are a-x from White's ace point for both players, y the bar, z off.
"""

from games.formats.sgf.reading import parse, read
from games.formats.sgf.writing import LIMITS, write

__all__ = ["LIMITS", "parse", "read", "write"]
