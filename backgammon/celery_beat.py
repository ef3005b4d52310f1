"""The timetable of beat by a clock that nobody can set.

Celery's own compares the times of two runs on the machine's clock: when that is set back by an hour, no sweep runs for
an hour. Here they are compared on the monotonic clock, written as if the machine's clock had never been set since the
process began.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

from celery.beat import PersistentScheduler
from celery.schedules import schedule
from celery.utils.time import maybe_make_aware

_began = datetime.now(UTC) - timedelta(seconds=time.monotonic())


def steady_now() -> datetime:
    """The time of day by the monotonic clock."""
    return _began + timedelta(seconds=time.monotonic())


def interval(seconds: float) -> schedule:
    """A schedule that runs every so many seconds."""
    return schedule(seconds, nowfun=steady_now)


class SteadyScheduler(PersistentScheduler):  # type: ignore[misc]
    """Celery's scheduler, which also forgives a file from before the machine's clock was set back."""

    def setup_schedule(self) -> None:
        super().setup_schedule()
        for entry in self.schedule.values():
            now = entry.default_now()
            entry.last_run_at = min(maybe_make_aware(entry.last_run_at or now), now)

    def schedules_equal(self, *_: Any) -> bool:
        """The timetable does not change while beat runs. To compare all of it at each tick took half of the time."""
        return True

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Run what is due, and wait. Celery would wait with `time.sleep`, which fails under libfaketime."""
        if (wait := super().tick(*args, **kwargs)) and wait > 0:
            Event().wait(wait)
            if self.should_sync():
                self._do_sync()  # type: ignore[attr-defined]
        return 0.0
