"""Sites that may be backed up, spoiled and replaced."""

from tests.games.conftest import act, open_table, thrown, time
from tests.ops.houses import bare, furnished, house

__all__ = ["act", "bare", "furnished", "house", "open_table", "thrown", "time"]
