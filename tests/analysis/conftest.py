"""A match with ana as White and bea as Black."""

from tests.games.conftest import act, next_rolls, open_table, time

__all__ = ["act", "next_rolls", "open_table", "time"]
