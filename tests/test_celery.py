"""The timetable of beat and the queues name tasks that exist."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from backgammon import celery_beat
from backgammon.celery import BEAT_SCHEDULE, app
from backgammon.celery_beat import LEASE_KEY, SPREAD, Lease, SteadyScheduler
from backgammon.demo import processes
from backgammon.ops import broker_client


def test_every_entry_of_the_timetable_is_a_task() -> None:
    app.loader.import_default_modules()
    assert [entry["task"] for entry in BEAT_SCHEDULE.values() if entry["task"] not in app.tasks] == []


def test_every_queue_has_a_worker() -> None:
    commands = [" ".join(spec.command) for spec in processes.worker_processes(env={})]
    served = {name for command in commands for name in queue_names(command)}
    routed = {route["queue"] for route in app.conf.task_routes.values()}
    assert served == {app.conf.task_default_queue, *routed}


def queue_names(command: str) -> list[str]:
    words = command.split()
    return words[words.index("-Q") + 1].split(",") if "-Q" in words else []


def test_runs_that_come_late_are_dropped() -> None:
    assert all(
        0 < entry["options"]["expires"] <= max(60, entry["schedule"].seconds) for entry in BEAT_SCHEDULE.values()
    )


def test_a_clock_that_is_set_back_delays_no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    every_second = BEAT_SCHEDULE["flags"]["schedule"]
    ran_at = every_second.now()

    class SetBack(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            return datetime.now(UTC) - timedelta(hours=1)

    monkeypatch.setattr(celery_beat, "datetime", SetBack)
    assert not every_second.is_due(ran_at).is_due
    later = celery_beat.time.monotonic() + 1.1
    monkeypatch.setattr(celery_beat.time, "monotonic", lambda: later)
    assert every_second.is_due(ran_at).is_due


def test_a_timetable_from_before_the_clock_was_set_back_is_forgiven(tmp_path: Path) -> None:
    scheduler = SteadyScheduler(app, schedule_filename=str(tmp_path / "beat"), lazy=False)
    for entry in scheduler.schedule.values():
        entry.last_run_at += timedelta(hours=1)
    scheduler.close()
    again = SteadyScheduler(app, schedule_filename=str(tmp_path / "beat"), lazy=False)
    assert [entry for entry in again.schedule.values() if entry.last_run_at > entry.default_now()] == []
    again.close()


def test_sweeps_of_the_same_period_do_not_run_at_the_same_time(tmp_path: Path) -> None:
    scheduler = SteadyScheduler(app, schedule_filename=str(tmp_path / "beat"), lazy=False)
    waits: dict[timedelta, list[float]] = {}
    for entry in scheduler.schedule.values():
        period = getattr(entry.schedule, "run_every", timedelta.max)
        if period <= SPREAD:
            assert entry.last_run_at is not None
            waits.setdefault(period, []).append((entry.last_run_at + period - entry.default_now()) / period)
    scheduler.close()
    assert len(waits[timedelta(seconds=1)]) > 1
    for shares in waits.values():
        assert all(-0.1 < share <= 1 for share in shares)
        ordered = sorted(shares)
        assert all(later - earlier > 0.02 for earlier, later in pairwise(ordered)), shares


class SteppingClock:
    """A monotonic clock that goes on with each look at it, and by what is waited."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def monotonic(self) -> float:
        self.seconds += 1e-5
        return self.seconds

    def wait(self, seconds: float) -> None:
        self.seconds += seconds


def test_between_two_runs_beat_waits_and_does_not_ask_all_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler = SteadyScheduler(app, schedule_filename=str(tmp_path / "beat"), lazy=False)
    sent: list[float] = []
    clock = SteppingClock()
    monkeypatch.setattr(celery_beat, "time", clock)
    monkeypatch.setattr(celery_beat, "Event", lambda: clock)
    monkeypatch.setattr(scheduler.lease, "is_held", lambda: True)
    monkeypatch.setattr(scheduler, "apply_entry", lambda entry, producer: sent.append(clock.seconds))
    for entry in scheduler.schedule.values():
        entry.last_run_at = entry.default_now()
    ticks = 0
    while clock.seconds < 1010:
        scheduler.tick()
        ticks += 1
    assert 30 < len(sent) < 40
    assert ticks < 4 * len(sent)
    scheduler.close()


@pytest.fixture
def at_broker(valkey: str) -> Iterator[Any]:
    client = broker_client.client(valkey)
    client.delete(LEASE_KEY)
    yield client
    client.delete(LEASE_KEY)


def test_of_several_beats_one_sends_the_tasks(at_broker: Any) -> None:
    first, second = Lease("one"), Lease("two")
    assert (first.is_held(), second.is_held()) == (True, False)
    assert 0 < at_broker.pttl(LEASE_KEY) <= 4000


def test_another_beat_takes_over_when_the_first_one_ends(at_broker: Any) -> None:
    first = Lease("one")
    assert first.is_held()
    first.release()
    assert Lease("two").is_held()
    first.release()
    assert at_broker.get(LEASE_KEY) == "two"


def test_a_beat_that_was_killed_goes_on_at_once_when_it_is_back(at_broker: Any) -> None:
    assert Lease("one").is_held()
    assert Lease("one").is_held()


def test_a_broker_that_is_away_refuses_no_beat(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert Lease("one").is_held()
