"""End child processes with their parent: the kernel kills a child when its parent is gone for any reason (Linux only).

Also a program that uses the standard library only: `parent_watch.py PARENT COMMAND...` binds itself to the process
PARENT and replaces itself by COMMAND.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from pathlib import Path

PR_SET_PDEATHSIG = 1
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def bound_to_parent(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return the command that runs `command` as a child which the kernel kills when this process ends.

    Start it from the main thread: for the kernel the parent is the thread that forked.
    """
    return (sys.executable, "-I", "-S", __file__, str(os.getpid()), *command)


def die_with_parent(parent: int, *, by: int = signal.SIGKILL) -> None:
    """Make the kernel send signal `by` to this process when `parent` dies; immediately if it is dead."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, by, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != parent:  # it died before prctl
        os.kill(os.getpid(), by)


def is_stopping(pid: int) -> bool:
    """Whether process `pid` is in its own handler of INT, TERM or HUP, which blocks that signal.

    A `make` that alone receives INT or HUP waits for its recipe without forwarding the signal: `make run` would hang.
    While it starts the recipe, which takes long on a busy machine, it blocks all of them.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    blocked = next((int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigBlk:")), 0)
    return 0 < sum(blocked >> (number - 1) & 1 for number in STOP_SIGNALS) < len(STOP_SIGNALS)


def pause(seconds: float) -> None:
    """Wait. `time.sleep` fails under libfaketime 0.9.10, with which a site on a clock that jumps is tested."""
    threading.Event().wait(seconds)


if __name__ == "__main__":
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)  # a shell starts background jobs with SIGINT ignored
    die_with_parent(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606  (the supervisor's own commands)
