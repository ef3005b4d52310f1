"""A supervisor of few words: starts children in order, passes their words on, and stops them in reverse order.

Guarantees: one child's unexpected end ends all, with a non-zero exit; INT, TERM and HUP end all, with exit 0; a child
that does not stop in time is killed with its whole session; and if the supervisor itself is killed, the kernel ends
the children (`leash.py`).
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
from typing import IO, Self

from backgammon.demo.leash import STOPPING, leashed, told_to_stop

TICK = 0.1  # seconds between two looks at the children


@dataclass(frozen=True)
class Part:
    """One child: its name in the output, its command, and how long it may take to stop.

    Neighbours with the same `stage` stop together. Lines with a text of `mute` are not passed on.
    """

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    pass_fds: tuple[int, ...] = ()
    grace: float = 5.0
    stage: int = 0
    mute: tuple[str, ...] = ()


class Stopped(Exception):
    """A signal asked the supervisor to stop."""


class ChildDied(Exception):
    """A child ended though nobody asked it to."""


class Supervisor:
    """Use as a context: whatever happens inside, no child is left behind.

    `parent`: also stop when this process dies or is told to stop (`make run` passes its own).
    """

    def __init__(self, *, parent: int | None = None, out: IO[str] | None = None) -> None:
        self.children: list[tuple[Part, subprocess.Popen[bytes]]] = []
        self.parent = parent
        self.signal: int | None = None
        self._out = out or sys.stdout
        self._line = threading.Lock()
        self._old: dict[int, object] = {}
        self._readers: dict[int, threading.Thread] = {}  # by child

    def __enter__(self) -> Self:
        self._old = {name: signal.signal(name, self._heard) for name in STOPPING}
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()
        for name, handler in self._old.items():
            signal.signal(name, handler)  # type: ignore[arg-type]

    def _heard(self, number: int, frame: FrameType | None) -> None:
        self.signal = number

    def say(self, line: str) -> None:
        """One whole line, at once, even when two children speak together. Nobody listening is no reason to die."""
        with self._line:
            try:
                print(line, file=self._out, flush=True)
            except (OSError, ValueError):
                self._out = open(os.devnull, "w")  # noqa: SIM115

    def start(self, part: Part) -> None:
        """Start one child in a session of its own. Raises Stopped or ChildDied like `watch`."""
        self.look()
        process = subprocess.Popen(  # noqa: S603  (our own commands)
            leashed(part.command),
            env={**os.environ, **part.env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=part.pass_fds,
            start_new_session=True,
        )
        self.children.append((part, process))
        reader = threading.Thread(target=self._pass_on, args=(part, process.stdout), daemon=True)
        reader.start()
        self._readers[process.pid] = reader

    def _pass_on(self, part: Part, pipe: IO[bytes]) -> None:
        """Prefix a child's lines. Addresses lose their scheme: the site's own is the only one this program prints."""
        for raw in pipe:
            line = raw.decode(errors="replace").rstrip().replace("http://", "")
            if line and not any(text in line for text in part.mute):
                self.say(f"{part.name:<7}| {line}")

    def look(self) -> None:
        """One look around. Raises Stopped when asked to stop, ChildDied when a child has ended."""
        if self.parent is not None and (os.getppid() != self.parent or told_to_stop(self.parent)):
            raise Stopped
        if self.signal is not None:
            raise Stopped
        for part, process in self.children:
            if (code := process.poll()) is not None:
                raise ChildDied(f"{part.name} ended by itself ({_how(code)})")

    def wait_for(self, ready: Callable[[], bool], *, what: str, timeout: float, every: float = 0.05) -> None:
        """Look around until `ready()`. Raises TimeoutError naming `what`, or like `look`."""
        end = time.monotonic() + timeout
        while not ready():
            if time.monotonic() > end:
                raise TimeoutError(f"{what} did not come up within {timeout:.0f} s")
            self.look()
            time.sleep(every)
        self.look()

    def watch(self) -> None:
        """Stay until something ends. Raises like `look`."""
        while True:
            self.look()
            time.sleep(TICK)

    def stop(self) -> None:
        """Stop the children, stage by stage in reverse order. What outlives its grace is killed, session and all."""
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
                    self.say(f"{part.name:<7}| did not stop within {part.grace:.0f} s: killed")
                kill_session(process.pid)
                process.wait()
            for _, process in together:  # what it said comes before what the next stage says
                self._readers.pop(process.pid).join(1.0)


def kill_session(leader: int) -> None:
    """Kill what lives of the process group that `leader` opened, its own children included."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _how(code: int) -> str:
    return f"exit {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
