"""The timetable of beat and the queues name tasks that exist."""

from __future__ import annotations

from backgammon.celery import BEAT_SCHEDULE, app
from backgammon.demo import processes


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
    assert all(0 < entry["options"]["expires"] <= max(60, entry["schedule"]) for entry in BEAT_SCHEDULE.values())
