"""A command that yields the processor to everybody else: `gently.py COMMAND...` becomes COMMAND at a low priority.

Linux weighs a process's own `nice` only against the others of its session; sessions are weighed by a `nice` of their
own (autogroups, sched(7)). The supervisor opens a session for each child, so both are set; a child's children inherit
them. Low priority alone does not help who wakes up while every processor computes, so it keeps off one of them as well,
and on the others it is idle work (SCHED_IDLE), which whoever wakes up puts aside at once.
Of the standard library alone.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

NICE = 10
SESSION = Path("/proc/self/autogroup")
TRIES = 50


def yield_to_others() -> None:
    """Make this process nice and idle work, and its session nice if it opened it (a shared one is others' too)."""
    os.nice(NICE)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):  # a kernel without autogroups, or another system
            _tell_session()
    _keep_off_one()
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _keep_off_one() -> None:
    """Leave one of several processors to the others: a move that comes in then finds it free."""
    if hasattr(os, "sched_setaffinity"):
        mine = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, mine[1:] or mine)


def _tell_session() -> None:
    """Whoever is not root can be turned away: the kernel takes one such wish in a tenth of a second, from anybody."""
    for _ in range(TRIES):
        with suppress(BlockingIOError):
            SESSION.write_text(str(NICE))
            return
        time.sleep(0.1)


if __name__ == "__main__":
    yield_to_others()
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606  (the supervisor's own commands)
