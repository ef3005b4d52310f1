"""A process that has imported the whole site, and forks the processes of `make run` while it starts (Linux only).

    python -m backgammon.demo.fork_server FD

The children share the memory of what is imported, and none of them imports it again: it is most of what each of them
needs, in megabytes and in seconds. The server ends when the site has started, so a child that dies later is started
as a program of its own.

A child is forked twice, so that it becomes a child of the supervisor, which the kernel made the parent of its orphans.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from runpy import run_module
from typing import Any, TypedDict

from backgammon.demo import idle_priority
from backgammon.demo.parent_watch import STOP_SIGNALS, bound_to_parent, die_with_parent, pause

PR_SET_NAME, PR_SET_CHILD_SUBREAPER = 15, 36
MODULES = (
    *("celery.bin.celery", "celery.bin.worker", "celery.bin.beat", "celery.apps.worker", "celery.worker"),
    *("celery.concurrency.prefork", "celery.concurrency.thread", "channels.sessions", "channels.routing"),
    *("backgammon.socket_origins", "backgammon.static_cache", "games.connections.transport", "tournaments.routing"),
    *("chat.routing", "eventlog.routing", "games.routing"),
)
"""What the children import but for daphne: its reactor opens an event loop, which processes must not share."""
FIRST_FREE = 200
"""Files that come with a request are moved up here, out of the way of the numbers that they get."""
LONGEST_REQUEST = 2**16  # bytes


@dataclass(frozen=True)
class ModuleRun:
    """`python -m MODULE ARGUMENTS`, with the text of a warning to ignore; `idle`: at the lowest priority."""

    module: str
    arguments: tuple[str, ...]
    ignored_warning: str = ""
    idle: bool = False

    @property
    def command(self) -> tuple[str, ...]:
        """The same as a program of its own."""
        before = idle_priority.PREFIX if self.idle else ()
        ignore = ("-W", f"ignore:{self.ignored_warning}") if self.ignored_warning else ()
        return (*before, sys.executable, *ignore, "-m", self.module, *self.arguments)


class Request(TypedDict):
    """What the supervisor asks for; the output and the `fds` come with it."""

    name: str
    parent: int
    fds: Sequence[int]
    run: Mapping[str, Any]


class ForkedProcess:
    """A process that the server forked, as `subprocess.Popen` shows one."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        return self._reap(os.WNOHANG)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises subprocess.TimeoutExpired."""
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self._reap(0 if end is None else os.WNOHANG)) is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            pause(0.01)
        return code

    def terminate(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def _reap(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


class ForkServer:
    """The supervisor's side. Use it in the main thread, which becomes the parent of what is forked."""

    def __init__(self, env: Mapping[str, str], folder: Path | None = None) -> None:
        """Start the server in a folder; it imports the site with this environment. Raises OSError."""
        self.env = dict(env)
        self._supervisor, theirs = socket.socketpair()
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
        with theirs:
            command = (sys.executable, "-m", "backgammon.demo.fork_server", str(theirs.fileno()))
            self._process = subprocess.Popen(  # noqa: S603  (our own command)
                bound_to_parent(command),
                env={**os.environ, **env},
                cwd=folder,
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )

    def knows(self, env: Mapping[str, str]) -> bool:
        """Whether the site was imported with these settings."""
        return env.items() <= self.env.items()

    def fork(
        self, name: str, run: ModuleRun, *, out: int, pass_fds: Sequence[int] = (), check: Callable[[], object]
    ) -> ForkedProcess:
        """Run a module in a fork of the server, with its output to the file `out`; calls `check` while it waits.

        Raises OSError if the server has ended, and what `check` raises.
        """
        request: Request = {"name": name, "parent": os.getpid(), "fds": pass_fds, "run": asdict(run)}
        socket.send_fds(self._supervisor, [json.dumps(request).encode()], [out, *pass_fds])
        while not select.select([self._supervisor], [], [], 0.05)[0]:  # it still imports
            check()
        answer = self._supervisor.recv(64)
        if not answer:
            raise OSError("the fork server ended")
        return ForkedProcess(int(answer))

    def close(self) -> None:
        """End the server; its children stay."""
        self._supervisor.close()
        _prctl(PR_SET_CHILD_SUBREAPER, 0)
        end = time.monotonic() + 2
        while self._process.poll() is None and time.monotonic() < end:  # it ends at once, unless it still imports
            pause(0.01)
        self._process.kill()
        self._process.wait()


def serve(control: socket.socket) -> tuple[Request, list[int]] | None:
    """Fork for each request. Returns twice: in each child with its request and files; in the server None at the end."""
    while True:
        request, fds, _flags, _address = socket.recv_fds(control, LONGEST_REQUEST, 8)
        if not request:
            return None
        reading, writing = os.pipe()
        between = os.fork()
        if between == 0:
            os.close(reading)
            middle = os.getpid()
            if child := os.fork():
                os.write(writing, str(child).encode())
                os._exit(0)
            os.close(writing)
            while os.getppid() == middle:
                pause(0.001)
            return json.loads(request), fds
        for fd in (writing, *fds):
            os.close(fd)
        pid = os.read(reading, 64)
        os.close(reading)
        os.waitpid(between, 0)  # from here on the supervisor is the parent
        control.send(pid)


def run(request: Request, fds: Sequence[int]) -> None:
    """Become the process of a request. Raises SystemExit as its module does."""
    os.setsid()
    die_with_parent(request["parent"])
    _prctl(PR_SET_NAME, f"tablero-{request['name']}".encode())
    for fd, number in zip([_moved_up(fd) for fd in fds], (1, *request["fds"]), strict=True):
        os.dup2(fd, number)
        os.close(fd)
    os.dup2(1, 2)
    module = ModuleRun(**request["run"])
    if module.ignored_warning:
        warnings.filterwarnings("ignore", message=module.ignored_warning)
    if module.idle:
        idle_priority.yield_to_others()
    sys.argv = [module.module, *module.arguments]
    run_module(module.module, run_name="__main__", alter_sys=True)


def _moved_up(fd: int) -> int:
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE)
    os.close(fd)
    return moved


def _prctl(option: int, value: int | bytes) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def import_site() -> None:
    """Import what the children import."""
    gc.disable()  # what is imported stays: looking for garbage all the while takes a quarter of the time
    import django
    from django.urls import get_resolver

    django.setup()
    import_module("backgammon.celery")
    for module in MODULES:
        import_module(module)
    get_resolver().url_patterns  # noqa: B018
    gc.collect()
    gc.freeze()  # a collection would write into every page, which the children then no longer share
    gc.enable()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    with socket.socket(fileno=int(sys.argv[1])) as control_socket:
        import_site()
        to_run = serve(control_socket)
    if to_run is not None:
        run(*to_run)
