"""A small supervisor: it starts child processes in order, forwards their output, and stops them in reverse order.

Guarantees: if a child ends unexpectedly, all are stopped and the exit status is not 0; INT, TERM and HUP stop all, with
exit status 0; a child that does not stop in time is killed with its session; if the supervisor itself is killed, the
kernel kills the children (`parent_watch.py`).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import IO, Any, Self

from backgammon.demo.parent_watch import STOP_SIGNALS, bound_to_parent, is_stopping

POLL_INTERVAL = 0.1  # seconds between two checks of the children


@dataclass(frozen=True)
class ProcessSpec:
    """A child process: its name in the output, its command, and the seconds (`grace`) it may take to stop.

    Consecutive processes of the same `stage` stop together. Output lines that contain a text of `mute` are dropped.
    """

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    pass_fds: tuple[int, ...] = ()
    grace: float = 5.0
    stage: int = 0
    mute: tuple[str, ...] = ()


class Stopped(Exception):
    """A signal told the supervisor to stop."""


class ChildDied(Exception):
    """A child ended unexpectedly."""


class Supervisor:
    """Use as a context manager: all children are stopped when the block ends, however it ends.

    `parent`: also stop when this process dies or is stopping (`make run` passes its own).
    """

    def __init__(self, *, parent: int | None = None, out: IO[str] | None = None) -> None:
        self.children: list[tuple[ProcessSpec, subprocess.Popen[bytes]]] = []
        self.parent = parent
        self.signal: int | None = None
        self._out = out or sys.stdout
        self._line = threading.Lock()
        self._old_handlers: dict[int, Any] = {}
        self._readers: dict[int, threading.Thread] = {}  # by child

    def __enter__(self) -> Self:
        self._old_handlers = {name: signal.signal(name, self._on_signal) for name in STOP_SIGNALS}
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        for name, handler in self._old_handlers.items():
            signal.signal(name, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.signal = number

    def print_line(self, line: str) -> None:
        """Print a whole line at once, also when two children print together. A closed output is ignored."""
        with self._line:
            try:
                print(line, file=self._out, flush=True)
            except (OSError, ValueError):
                self._out = open(os.devnull, "w")  # noqa: SIM115

    def start(self, part: ProcessSpec) -> None:
        """Start a child in a session of its own. Raises Stopped or ChildDied."""
        self.check()
        process = subprocess.Popen(  # noqa: S603  (our own commands)
            bound_to_parent(part.command),
            env={**os.environ, **part.env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=part.pass_fds,
            start_new_session=True,
        )
        self.children.append((part, process))
        reader = threading.Thread(target=self._forward_output, args=(part, process.stdout), daemon=True)
        reader.start()
        self._readers[process.pid] = reader

    def _forward_output(self, part: ProcessSpec, pipe: IO[bytes]) -> None:
        """Print a child's lines with its name. URLs lose their scheme: only the site's own is printed in full."""
        for raw in pipe:
            line = raw.decode(errors="replace").rstrip().replace("http://", "")
            if line and not any(text in line for text in part.mute):
                self.print_line(f"{part.name:<7}| {line}")

    def check(self) -> None:
        """Check signals, parent and children once. Raises Stopped after a signal, ChildDied if a child has ended."""
        if self.parent is not None and (os.getppid() != self.parent or is_stopping(self.parent)):
            raise Stopped
        if self.signal is not None:
            raise Stopped
        for part, process in self.children:
            if (code := process.poll()) is not None:
                raise ChildDied(f"{part.name} ended unexpectedly ({_exit_text(code)})")

    def wait_for(self, is_ready: Callable[[], bool], *, name: str, timeout: float, interval: float = 0.05) -> None:
        """Wait until `is_ready()`. Raises TimeoutError with `name`, or like `check`."""
        end = time.monotonic() + timeout
        while not is_ready():
            if time.monotonic() > end:
                raise TimeoutError(f"{name} did not start within {timeout:.0f} s")
            self.check()
            time.sleep(interval)
        self.check()

    def watch(self) -> None:
        """Wait until something ends. Raises like `check`."""
        while True:
            self.check()
            time.sleep(POLL_INTERVAL)

    def stop(self) -> None:
        """Stop the children, stage by stage in reverse order; kill the session of those that take too long."""
        while self.children:
            stage = self.children[-1][0].stage
            together = []
            while self.children and self.children[-1][0].stage == stage:
                together.append(self.children.pop())
            for _, process in together:
                if process.poll() is None:
                    process.terminate()
            for part, process in together:
                try:
                    process.wait(part.grace)
                except subprocess.TimeoutExpired:
                    self.print_line(f"{part.name:<7}| did not stop within {part.grace:.0f} s: killed")
                kill_session(process.pid)
                process.wait()
            for _, process in together:  # its last lines come before those of the next stage
                self._readers.pop(process.pid).join(1.0)


def kill_session(leader: int) -> None:
    """Kill what is left of the process group that `leader` opened, its children included."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _exit_text(code: int) -> str:
    return f"exit {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
