"""The clock of the database between two readings of it, for acts whose moment is checked when they are written."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(slots=True)
class DatabaseClock:
    """What the database's clock said, carried on by this process's own. Used by one thread at a time."""

    read: datetime | None = None
    at: float = 0.0

    def set(self, moment: datetime | None) -> None:
        """Take what a statement has just returned; None: the clock has to be read anew."""
        self.read, self.at = moment, time.monotonic()

    def correct(self, moment: datetime) -> None:
        """Take what a statement has just returned, unless its answer was longer on its way than the one before."""
        if (estimate := self.estimate()) is None or moment > estimate:
            self.set(moment)

    def estimate(self) -> datetime | None:
        """The database's clock now, early by what an answer takes on its way; None if it is not known."""
        return self.read and self.read + timedelta(seconds=time.monotonic() - self.at)


database_clock = DatabaseClock()
