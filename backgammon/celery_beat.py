"""The timetable of beat by a clock that nobody can set.

Celery's own compares the times of two runs on the machine's clock: when that is set back by an hour, no sweep runs for
an hour. Here they are compared on the monotonic clock, written as if the machine's clock had never been set since the
process began.

Several machines may each run a beat: the one that holds the lease at the broker sends the tasks, the others wait for it
to end (docs/scaling.md).
"""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any

from celery.beat import PersistentScheduler
from celery.schedules import schedule
from celery.utils.time import maybe_make_aware
from django.conf import settings
from redis import RedisError

from backgammon.ops import broker_client

SPREAD = timedelta(minutes=1)
"""Sweeps that run as often as this are spread over their period, so that they do not want the processors at once."""
GOLDEN_RATIO = 0.618  # its multiples fall as far from one another as they can

LEASE_KEY = "tablero:beat"
LEASE = 4.0  # seconds after which another beat takes over from one that is gone
RENEWED_EVERY = 1.0  # seconds

_began = datetime.now(UTC) - timedelta(seconds=time.monotonic())


def steady_now() -> datetime:
    """The time of day by the monotonic clock."""
    return _began + timedelta(seconds=time.monotonic())


def interval(seconds: float) -> schedule:
    """A schedule that runs every so many seconds."""
    return schedule(seconds, nowfun=steady_now)


class Lease:
    """The right to send the tasks, kept at the broker under the name of its holder.

    A broker that does not respond refuses nobody: no task can be sent then, and two beats for a moment only do the same
    work again. A beat that starts again in the same folder has the same name, and goes on at once.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.held = False
        self._checked_at = 0.0

    def is_held(self) -> bool:
        """Whether this beat may send tasks now; the broker is asked once a second."""
        if time.monotonic() - self._checked_at >= RENEWED_EVERY or not self._checked_at:
            try:
                self.held = self._take()
            except (RedisError, OSError):
                self.held = True
            self._checked_at = time.monotonic()
        return self.held

    def release(self) -> None:
        """Let another beat take over at once."""
        try:
            if self.held and self._client.get(LEASE_KEY) == self.name:
                self._client.delete(LEASE_KEY)
        except (RedisError, OSError):
            return

    def _take(self) -> bool:
        milliseconds = int(LEASE * 1000)
        if self._client.set(LEASE_KEY, self.name, nx=True, px=milliseconds):
            return True
        if self._client.get(LEASE_KEY) != self.name:
            return False
        return bool(self._client.pexpire(LEASE_KEY, milliseconds))

    @property
    def _client(self) -> Any:
        return broker_client.client(settings.REDIS_URL)


class SteadyScheduler(PersistentScheduler):  # type: ignore[misc]
    """Celery's scheduler, which also forgives a file from before the machine's clock was set back."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.lease = Lease(f"{socket.gethostname()}:{settings.VAR_DIR}")
        super().__init__(*args, **kwargs)

    def setup_schedule(self) -> None:
        super().setup_schedule()
        for number, (_name, entry) in enumerate(sorted(self.schedule.items())):
            now = entry.default_now()
            entry.last_run_at = min(maybe_make_aware(entry.last_run_at or now), now)
            period: timedelta = getattr(entry.schedule, "run_every", timedelta.max)  # a `crontab` has none
            if period <= SPREAD:
                entry.last_run_at = now - period * (number * GOLDEN_RATIO % 1)

    def schedules_equal(self, *_: Any) -> bool:
        """The timetable does not change while beat runs. To compare all of it at each tick took half of the time."""
        return True

    def adjust(self, n: float, drift: float = 0.0) -> float:
        """The seconds to wait, as they are. Celery wakes 10 ms early for each run, and asks again and again until then.

        That took most of beat's time: 5 % of a processor, whatever the site does.
        """
        return n

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Run what is due, and wait. Celery would wait with `time.sleep`, which fails under libfaketime."""
        if not self.lease.is_held():
            Event().wait(RENEWED_EVERY)
            return 0.0
        if (wait := super().tick(*args, **kwargs)) and wait > 0:
            Event().wait(wait)
            if self.should_sync():
                self._do_sync()  # type: ignore[attr-defined]
        return 0.0

    def close(self) -> None:
        self.lease.release()
        super().close()
