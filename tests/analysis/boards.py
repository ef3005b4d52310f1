"""Hand-made boards, seen from the side that has just played."""

from tests.games.bots.engine_positions import START, board

__all__ = ["START", "board"]
