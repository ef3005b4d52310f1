"""Matches as .mat text (Jellyfish), the format that GNU Backgammon, XG and most other programs read and write.

`read` is lenient, `write` is exact. docs/formats.md describes the variants that other programs write.
"""

from games.formats.mat.reading import parse, read
from games.formats.mat.writing import LIMITS, write

__all__ = ["LIMITS", "parse", "read", "write"]
