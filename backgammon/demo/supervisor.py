"""A small supervisor: it starts child processes in order, forwards their output, and stops them in reverse order.

Guarantees: a child that ends unexpectedly is started again, at once the first time and then after longer and longer
waits; if it ends `MAX_DEATHS` times within a minute, or before all is started, everything is stopped and the exit
status is not 0; INT, TERM and HUP stop all, with exit status 0; a child that does not stop in time is killed with its
session; if the supervisor itself is killed, the kernel kills the children (`parent_watch.py`).
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO, Any, Self

from backgammon.demo.fork_server import ForkedProcess, ForkServer, ModuleRun
from backgammon.demo.parent_watch import STOP_SIGNALS, bound_to_parent, is_stopping, pause

POLL_INTERVAL = 0.1  # seconds between two checks of the children
MAX_DEATHS = 5  # of one child within `DEATHS_COUNT_FOR`
DEATHS_COUNT_FOR = 60.0  # seconds
READ_AT_ONCE = 2**16  # bytes of output


@dataclass(frozen=True)
class ProcessSpec:
    """A child process: its name in the output, its command, and the seconds (`grace`) it may take to stop.

    Consecutive processes of the same `stage` stop together. Output lines that contain a text of `mute` are dropped.
    With `grace` 0 it is killed at once. `module` is the command as a module, which a fork server can run.
    """

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    pass_fds: tuple[int, ...] = ()
    grace: float = 5.0
    stage: int = 0
    mute: tuple[str, ...] = ()
    module: ModuleRun | None = None


Process = subprocess.Popen[bytes] | ForkedProcess


class Stopped(Exception):
    """A signal told the supervisor to stop."""


class ChildDied(Exception):
    """A child ended unexpectedly."""


@dataclass
class Output:
    """The pipe with what a child prints, and its last line while that has no end."""

    pipe: int
    begun_line: bytes = b""


class Child:
    """A child process, its output and the thread that reads it, and when it died lately."""

    def __init__(self, part: ProcessSpec, process: Process, output: Output) -> None:
        self.part = part
        self.process = process
        self.output = output
        self.reader: threading.Thread
        self.deaths: list[float] = []
        self.restart_at: float | None = None  # while it is dead


class Supervisor:
    """Use as a context manager: all children are stopped when the block ends, however it ends.

    `parent`: also stop when this process dies or is stopping (`make run` passes its own). `backoff`: the seconds until
    a child starts again that has died twice; each further death doubles them. `folder`: in which the children start.
    """

    def __init__(
        self, *, parent: int | None = None, out: IO[str] | None = None, backoff: float = 1.0, folder: Path | None = None
    ) -> None:
        self.children: list[Child] = []
        self.parent = parent
        self.backoff = backoff
        self.folder = folder
        self.signal: int | None = None
        self.fork_server: ForkServer | None = None
        self._out = out or sys.stdout
        self._line = threading.RLock()
        self._old_handlers: dict[int, Any] = {}

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

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Print and read nothing in the block: what children print waits in their pipes."""
        with self._line:
            yield

    def start(self, part: ProcessSpec) -> None:
        """Start a child in a session of its own. Raises Stopped or ChildDied."""
        self.check()
        self.adopt(self._spawn(part))

    def adopt(self, child: Child) -> None:
        """Take care of a child of this process, and forward its output."""
        self.children.append(child)
        self._read(child)

    def _read(self, child: Child) -> None:
        """Forward the output of a child in a thread, which leaves all signals to the main one."""
        child.reader = threading.Thread(target=self._forward_output, args=(child.part, child.output), daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            child.reader.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _spawn(self, part: ProcessSpec) -> Child:
        reading, writing = os.pipe()
        try:
            process = self._fork(part, writing) or self._run(part, writing)
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        return Child(part, process, Output(reading))

    def _run(self, part: ProcessSpec, out: int) -> Process:
        """Run a process as a program of its own, with its output to a file."""
        return subprocess.Popen(  # noqa: S603  (our own commands)
            bound_to_parent(part.command),
            env={**os.environ, **part.env},
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            pass_fds=part.pass_fds,
            start_new_session=True,
        )

    @contextmanager
    def forking(self, env: Mapping[str, str]) -> Iterator[None]:
        """Fork the modules that start in the block from one process, where the system can."""
        if sys.platform == "linux":
            self.fork_server = ForkServer(env, self.folder)
        server = self.fork_server
        try:
            yield
        finally:
            self.fork_server = None
            if server is not None:
                server.close()

    def _fork(self, part: ProcessSpec, out: int) -> Process | None:
        """Fork a module, if there is a fork server with the same settings."""
        server = self.fork_server
        if server is None or part.module is None or not server.knows(part.env):
            return None
        try:
            return server.fork(part.name, part.module, out=out, pass_fds=part.pass_fds, check=self.check)
        except OSError:  # it died; a program of its own says why, if it fails as well
            self.fork_server = None
            return None

    def _forward_output(self, part: ProcessSpec, output: Output) -> None:
        """Print a child's lines with its name. URLs lose their scheme: only the site's own is printed in full."""
        read = b"more"
        while read:
            select.select([output.pipe], [], [])
            with self._line:
                read = os.read(output.pipe, READ_AT_ONCE)
                *lines, output.begun_line = (output.begun_line + (read or b"\n")).split(b"\n")
                for raw in lines:
                    line = raw.decode(errors="replace").rstrip().replace("http://", "")
                    if line and not any(text in line for text in part.mute):
                        self.print_line(f"{part.name:<7}| {line}")
        os.close(output.pipe)

    def check(self) -> None:
        """Check signals, parent and children once. Raises Stopped after a signal, ChildDied if a child has ended."""
        self._check_signals()
        for child in self.children:
            if (code := child.process.poll()) is not None:
                raise ChildDied(f"{child.part.name} ended unexpectedly ({_exit_text(code)})")

    def _check_signals(self) -> None:
        if self.parent is not None and (os.getppid() != self.parent or is_stopping(self.parent)):
            raise Stopped
        if self.signal is not None:
            raise Stopped

    def wait_for(self, is_ready: Callable[[], bool], *, name: str, timeout: float, interval: float = 0.05) -> None:
        """Wait until `is_ready()`. Raises TimeoutError with `name`, or like `check`."""
        end = time.monotonic() + timeout
        while not is_ready():
            if time.monotonic() > end:
                raise TimeoutError(f"{name} did not start within {timeout:.0f} s")
            self.check()
            pause(interval)
        self.check()

    def watch(self) -> None:
        """Start children again that end, until a signal comes. Raises Stopped, or ChildDied after `MAX_DEATHS`."""
        while True:
            self._check_signals()
            for child in self.children:
                if child.restart_at is not None:
                    self._restart_if_time(child)
                elif (code := child.process.poll()) is not None:
                    self._bury(child, _exit_text(code))
            pause(POLL_INTERVAL)

    def _bury(self, child: Child, how: str) -> None:
        """Say that a child ended, and when it starts again. Raises ChildDied after `MAX_DEATHS`."""
        kill_session(child.process.pid)
        child.reader.join(1.0)
        moment = time.monotonic()
        child.deaths = [*(at for at in child.deaths if moment - at < DEATHS_COUNT_FOR), moment]
        name, count = child.part.name, len(child.deaths)
        if count >= MAX_DEATHS:
            raise ChildDied(f"{name} ended unexpectedly ({how}), {count} times within a minute: giving up")
        wait = self.backoff * 2 ** (count - 2) if count > 1 else 0.0
        child.restart_at = moment + wait
        self.print_line(
            f"{name:<7}| ended unexpectedly ({how}), starting again {f'in {wait:.0f} s' if wait else 'now'}"
        )

    def _restart_if_time(self, child: Child) -> None:
        if child.restart_at is not None and time.monotonic() >= child.restart_at:
            child.restart_at = None
            again = self._spawn(child.part)
            child.process, child.output = again.process, again.output
            self._read(child)

    def stop(self) -> None:
        """Stop the children, stage by stage in reverse order; kill the session of those that take too long."""
        while self.children:
            stage = self.children[-1].part.stage
            together = []
            while self.children and self.children[-1].part.stage == stage:
                together.append(self.children.pop())
            for child in together:
                if child.process.poll() is None and child.part.grace > 0:
                    child.process.terminate()
            began = time.monotonic()
            for child in together:
                while child.process.poll() is None and time.monotonic() < began + child.part.grace:
                    pause(0.02)
                if child.process.poll() is None and child.part.grace > 0:
                    self.print_line(f"{child.part.name:<7}| did not stop within {child.part.grace:.0f} s: killed")
                kill_session(child.process.pid)
                child.process.wait()
            for child in together:  # its last lines come before those of the next stage
                child.reader.join(1.0)


def kill_session(leader: int) -> None:
    """Kill what is left of the process group that `leader` opened, its children included."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _exit_text(code: int) -> str:
    return f"exit {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
