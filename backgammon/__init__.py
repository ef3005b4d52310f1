"""Tablero: the wiring of the site, and `backgammon.rules`, the pure rules of the game."""

__version__ = "0.2.0"
