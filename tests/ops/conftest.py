"""Fixtures of whole sites that a test may back up, damage and replace."""

from tests.games.conftest import act, next_rolls, open_table, time
from tests.ops.prepared_sites import empty_database, populated_database, prepared_site

__all__ = ["act", "empty_database", "next_rolls", "open_table", "populated_database", "prepared_site", "time"]
