"""What workers and beat leave at the broker for whoever watches: when each sweep last ran, and how late flags fell.

It is theirs to lose: an emptied broker knows it again after the next sweeps. Written after a task's work is done; a
broker that is away costs the worker nothing but this note.
"""

from __future__ import annotations

import time
from typing import Any

from celery import signals
from django.conf import settings
from redis import RedisError
from structlog.contextvars import bind_contextvars, clear_contextvars

from backgammon.ops import broker
from games import meters

SWEPT, BEAT, LATE = "tablero:watch:swept", "tablero:watch:beat", "tablero:watch:late"
BUCKETS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 30.0)
MOST_OFTEN = 1.0  # seconds between two notes of one sweep

_noted: dict[str, float] = {}


def install() -> None:
    """Have workers and beat leave their notes. Nothing happens in other processes."""
    signals.task_prerun.connect(_begins, dispatch_uid="tablero-watch")
    signals.task_postrun.connect(_ran, dispatch_uid="tablero-watch")
    signals.beat_init.connect(_beats, dispatch_uid="tablero-watch")


def _begins(sender: Any = None, task_id: str = "", args: Any = (), **others: Any) -> None:
    """What is logged in a task names it, and the match that it is about."""
    if sender.request.is_eager:  # it is part of something else, which has its own
        return
    clear_contextvars()
    words = {"task": getattr(sender, "name", ""), "task_id": task_id}
    code = getattr(getattr(sender, "run", None), "__code__", None)
    if args and code is not None and code.co_varnames[:1] == ("match_id",):
        words["match"] = str(args[0])
    bind_contextvars(**words)


def _ran(sender: Any = None, state: str = "", **others: Any) -> None:
    name = getattr(sender, "name", "")
    if not sender.request.is_eager:
        clear_contextvars()
    is_sweep = ".sweep_" in name and state == "SUCCESS"
    if not is_sweep and not meters.LATE:
        return
    moment = time.time()
    if is_sweep and moment - _noted.get(name, 0.0) < MOST_OFTEN / 2:
        is_sweep = False
    try:
        with broker.client(settings.REDIS_URL).pipeline(transaction=False) as line:
            if is_sweep:
                line.hset(SWEPT, name, str(moment))
                _noted[name] = moment
            carry(line)
            line.execute()
    except (RedisError, OSError):
        return


def _beats(sender: Any = None, **others: Any) -> None:
    """Beat says when it last woke a sweep."""

    def woke(**facts: Any) -> None:
        moment = time.time()
        if moment - _noted.get(BEAT, 0.0) < MOST_OFTEN:
            return
        _noted[BEAT] = moment
        try:
            broker.client(settings.REDIS_URL).set(BEAT, str(moment))
        except (RedisError, OSError):
            return

    signals.after_task_publish.connect(woke, weak=False, dispatch_uid="tablero-watch-beat")


def carry(line: Any) -> None:
    """Put on the line what this process knows of flags that fell."""
    while meters.LATE:
        late = meters.LATE.popleft()
        bucket = next((str(edge) for edge in BUCKETS if late <= edge), "+Inf")
        line.hincrby(LATE, bucket, 1)
        line.hincrbyfloat(LATE, "sum", round(late, 4))


def lateness() -> tuple[list[tuple[str, float]], float]:
    """How many flags fell by each edge of the buckets, all processes together, and the sum of their seconds."""
    line = broker.client(settings.REDIS_URL).pipeline(transaction=False)
    carry(line)
    line.hgetall(LATE)
    found: dict[str, str] = line.execute()[-1]
    count, buckets = 0.0, []
    for edge in [*(str(edge) for edge in BUCKETS), "+Inf"]:
        count += float(found.get(edge, 0))
        buckets.append((edge, count))
    return buckets, float(found.get("sum", 0))


def sweep_ages() -> dict[str, float]:
    """Seconds since each sweep last ran to its end."""
    found = _client().hgetall(SWEPT)
    return {name: _age(at) for name, at in found.items()}


def beat_age() -> float | None:
    """Seconds since beat woke a sweep, or None when this broker never heard of it."""
    at = _client().get(BEAT)
    return None if at is None else _age(at)


def queues() -> dict[str, int]:
    """How many tasks wait on each queue."""
    names = queue_names()
    line = _client().pipeline(transaction=False)
    for name in names:
        line.llen(name)
    return dict(zip(names, line.execute(), strict=True))


def queue_names() -> list[str]:
    """Every queue that a task can be sent to."""
    routed = (route["queue"] for route in settings.CELERY_TASK_ROUTES.values())
    return sorted({settings.CELERY_TASK_DEFAULT_QUEUE, *routed})


def expected() -> dict[str, float]:
    """The sweeps that beat wakes, and their period in seconds."""
    entries: Any = settings.CELERY_BEAT_SCHEDULE.values()
    return {entry["task"]: float(entry["schedule"]) for entry in entries if ".sweep_" in entry["task"]}


def _age(at: str) -> float:
    return round(max(0.0, time.time() - float(at)), 1)


def _client() -> Any:
    return broker.client(settings.REDIS_URL)
