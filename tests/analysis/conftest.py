"""A table with ana as White and bea as Black."""

from tests.games.conftest import act, open_table, thrown, time

__all__ = ["act", "open_table", "thrown", "time"]
