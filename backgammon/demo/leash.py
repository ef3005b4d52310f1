"""Who dies with whom: the kernel ends a child when its parent is gone, however the parent went (Linux only).

Also a program, of the standard library alone: `leash.py PARENT COMMAND...` ties itself to PARENT and becomes COMMAND.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def leashed(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command as a child that the kernel kills when this process ends.

    Start it from the main thread: for the kernel the parent is the thread that forked.
    """
    return (sys.executable, "-I", "-S", __file__, str(os.getpid()), *command)


def die_with_parent(parent: int, *, by: int = signal.SIGKILL) -> None:
    """Have the kernel send this process `by` when `parent` dies; at once if it is dead already."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, by, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != parent:  # it died before prctl
        os.kill(os.getpid(), by)


def told_to_stop(pid: int) -> bool:
    """True while process `pid` stands in its own handler of INT, TERM or HUP, which blocks that signal.

    `make` that alone is sent INT or HUP waits for its recipe without passing the signal on: `make run` would hang.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    blocked = next((int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigBlk:")), 0)
    return any(blocked >> (number - 1) & 1 for number in STOPPING)


if __name__ == "__main__":
    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL)  # a shell's background job is born with SIGINT ignored
    die_with_parent(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606  (the supervisor's own commands)
