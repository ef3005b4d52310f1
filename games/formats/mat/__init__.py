"""Matches as .mat text (Jellyfish), the form that GNU Backgammon, XG and every other program read and write.

`read` is generous, `write` is exact. What the world really writes is told in docs/formats.md.
"""

from games.formats.mat.reading import parse, read
from games.formats.mat.writing import HOLDS, write

__all__ = ["HOLDS", "parse", "read", "write"]
