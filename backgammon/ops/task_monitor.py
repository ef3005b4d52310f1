"""Task monitoring: workers and beat record at the broker when each sweep last ran, and how late flags fell.

The records may be lost: after the next sweeps an emptied broker has them again. They are written after a task's work,
and an unavailable broker costs a worker nothing but the record.
"""

from __future__ import annotations

import time
from typing import Any

from celery import current_app, signals
from django.conf import settings
from redis import RedisError
from structlog.contextvars import bind_contextvars, clear_contextvars

from backgammon.ops import broker_client
from backgammon.ops.beat_health import BEAT_KEY
from games import metrics

SWEEPS_KEY, DELAYS_KEY = "tablero:watch:swept", "tablero:watch:late"
BUCKETS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 30.0)
MOST_OFTEN = 1.0  # seconds between two records of a sweep

_recorded_at: dict[str, float] = {}


def install() -> None:
    """Start recording in workers and beat. Nothing happens in other processes."""
    signals.task_prerun.connect(_on_task_start, dispatch_uid="tablero-watch")
    signals.task_postrun.connect(_on_task_end, dispatch_uid="tablero-watch")
    signals.beat_init.connect(_on_beat_start, dispatch_uid="tablero-watch")


def _on_task_start(sender: Any = None, task_id: str = "", args: Any = (), **others: Any) -> None:
    """Add the task and its match to every line that is logged in it."""
    if sender.request.is_eager:  # it is part of another task or request, which has its own context
        return
    clear_contextvars()
    context = {"task": getattr(sender, "name", ""), "task_id": task_id}
    code = getattr(getattr(sender, "run", None), "__code__", None)
    if args and code is not None and code.co_varnames[:1] == ("match_id",):
        context["match"] = str(args[0])
    bind_contextvars(**context)


def _on_task_end(sender: Any = None, state: str = "", **others: Any) -> None:
    name = getattr(sender, "name", "")
    if not sender.request.is_eager:
        clear_contextvars()
    is_sweep = ".sweep_" in name and state == "SUCCESS"
    if not is_sweep and not metrics.PENDING_FLAG_DELAYS:
        return
    moment = time.time()
    if is_sweep and moment - _recorded_at.get(name, 0.0) < MOST_OFTEN / 2:
        is_sweep = False
    try:
        with broker_client.client(settings.REDIS_URL).pipeline(transaction=False) as pipeline:
            if is_sweep:
                pipeline.hset(SWEEPS_KEY, name, str(moment))
                _recorded_at[name] = moment
            add_flag_delays(pipeline)
            pipeline.execute()
    except (RedisError, OSError):
        return


def _on_beat_start(sender: Any = None, **others: Any) -> None:
    """Record the time whenever beat sends a task."""

    def on_publish(**others: Any) -> None:
        moment = time.time()
        if moment - _recorded_at.get(BEAT_KEY, 0.0) < MOST_OFTEN:
            return
        _recorded_at[BEAT_KEY] = moment
        try:
            broker_client.client(settings.REDIS_URL).set(BEAT_KEY, str(moment))
        except (RedisError, OSError):
            return

    signals.after_task_publish.connect(on_publish, weak=False, dispatch_uid="tablero-watch-beat")


def add_flag_delays(pipeline: Any) -> None:
    """Add the delays of flags that fell in this process to a pipeline."""
    while metrics.PENDING_FLAG_DELAYS:
        late = metrics.PENDING_FLAG_DELAYS.popleft()
        bucket = next((str(edge) for edge in BUCKETS if late <= edge), "+Inf")
        pipeline.hincrby(DELAYS_KEY, bucket, 1)
        pipeline.hincrbyfloat(DELAYS_KEY, "sum", round(late, 4))


def flag_delays() -> tuple[list[tuple[str, float]], float]:
    """Return the histogram of flag delays of all processes (cumulative counts by bucket), and their sum in seconds."""
    pipeline = broker_client.client(settings.REDIS_URL).pipeline(transaction=False)
    add_flag_delays(pipeline)
    pipeline.hgetall(DELAYS_KEY)
    counts: dict[str, str] = pipeline.execute()[-1]
    count, buckets = 0.0, []
    for edge in [*(str(edge) for edge in BUCKETS), "+Inf"]:
        count += float(counts.get(edge, 0))
        buckets.append((edge, count))
    return buckets, float(counts.get("sum", 0))


def sweep_ages() -> dict[str, float]:
    """Return the seconds since each sweep last finished."""
    times = _client().hgetall(SWEEPS_KEY)
    return {name: _age(at) for name, at in times.items()}


def beat_age() -> float | None:
    """Return the seconds since beat last sent a task, or None if this broker has no record."""
    at = _client().get(BEAT_KEY)
    return None if at is None else _age(at)


def queue_lengths() -> dict[str, int]:
    """Return the number of waiting tasks of each queue."""
    names = queue_names()
    pipeline = _client().pipeline(transaction=False)
    for name in names:
        pipeline.llen(name)
    return dict(zip(names, pipeline.execute(), strict=True))


def queue_names() -> list[str]:
    """Return every queue that a task can be sent to."""
    routed = (route["queue"] for route in current_app.conf.task_routes.values())
    return sorted({current_app.conf.task_default_queue, *routed})


def sweep_periods() -> dict[str, float]:
    """Return the sweeps in beat's schedule and their period in seconds."""
    entries = current_app.conf.beat_schedule.values()
    return {entry["task"]: entry["schedule"].seconds for entry in entries if ".sweep_" in entry["task"]}


def _age(at: str) -> float:
    return round(max(0.0, time.time() - float(at)), 1)


def _client() -> Any:
    return broker_client.client(settings.REDIS_URL)
