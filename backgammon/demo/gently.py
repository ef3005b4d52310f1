"""A command that yields the processor to everybody else: `gently.py COMMAND...` becomes COMMAND at a low priority.

Linux weighs a process's own `nice` only against the others of its session; sessions are weighed by a `nice` of their
own (autogroups, sched(7)). The supervisor opens a session for each child, so both are set; a child's children inherit
them. Of the standard library alone.
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
    """Make this process nice, and its session if it opened it: one that is shared belongs to the others, too."""
    os.nice(NICE)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):  # a kernel without autogroups, or another system
            _tell_session()


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
