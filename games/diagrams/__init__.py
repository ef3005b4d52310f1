"""The diagrams of the rules pages: positions as data, drawn by the same boards that players use.

White sits at the bottom and all numbers are White's. Tests check every diagram against the rules: its checkers, its
dice, the play that it shows, and the illegal play with the ruling that forbids it.
"""

from __future__ import annotations

from games.diagrams.points import POINTS, PointsDiagram
from games.diagrams.squares import SQUARES, SquaresDiagram

Diagram = PointsDiagram | SquaresDiagram

DIAGRAMS: dict[str, Diagram] = {**POINTS, **SQUARES}

__all__ = ["DIAGRAMS", "POINTS", "SQUARES", "Diagram", "PointsDiagram", "SquaresDiagram"]
