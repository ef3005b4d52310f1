"""Boards laid out by hand, seen from who has just played."""

from tests.games.bots.table import START, board

__all__ = ["START", "board"]
