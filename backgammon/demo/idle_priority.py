"""Run a command at the lowest priority: `idle_priority.py COMMAND...` replaces itself by COMMAND.

Linux compares a process's own `nice` only within its session; sessions have a `nice` of their own (autogroups,
sched(7)). The supervisor opens a session for each child, so both are set; a child's children inherit them. Priority
alone does not help a process that wakes up while every processor computes, so one of several processors is left free,
and on the others the command runs as idle work (SCHED_IDLE), which any other process preempts at once.
Uses the standard library only.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

PREFIX = (sys.executable, "-I", "-S", __file__)
"""Before a command, runs it at idle priority."""
NICE = 10
SESSION = Path("/proc/self/autogroup")
TRIES = 50


def yield_to_others() -> None:
    """Give this process the lowest priority, and its session too if this process opened it."""
    os.nice(NICE)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):  # a kernel without autogroups, or another system
            _nice_session()
    _leave_one_processor()
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _leave_one_processor() -> None:
    """Leave one of several processors free for moves that come in."""
    if hasattr(os, "sched_setaffinity"):
        processors = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, processors[1:] or processors)


def _nice_session() -> None:
    """Set the nice value of the session. The kernel accepts one such write in 0.1 s except from root, so try again."""
    for _ in range(TRIES):
        with suppress(BlockingIOError):
            SESSION.write_text(str(NICE))
            return
        time.sleep(0.1)


if __name__ == "__main__":
    yield_to_others()
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606  (the supervisor's own commands)
