"""The diagrams of the rules pages: positions as data, shown by the same boards that players play on.

White sits at the bottom and all numbers are his. Tests hold every diagram against the rules: its men, its dice, the
play that it shows, and the play that it calls illegal with the ruling that forbids it.
"""

from __future__ import annotations

from games.diagrams.points import POINTS, Points
from games.diagrams.squares import SQUARES, Squares

Diagram = Points | Squares

DIAGRAMS: dict[str, Diagram] = {**POINTS, **SQUARES}

__all__ = ["DIAGRAMS", "POINTS", "SQUARES", "Diagram", "Points", "Squares"]
