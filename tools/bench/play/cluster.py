"""A cluster for benchmarks: PostgreSQL, a broker, a Celery worker and beat, and two web processes on two ports.

Half of the players connect to each web process, so that every match crosses from one to the other. Loopback only;
nothing outlives the block. Every process has a session of its own, as under `manage.py demo`: Linux shares the
processor by session.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import psutil  # type: ignore[import-untyped]

from backgammon.demo import listening_socket, processes
from backgammon.demo.parent_watch import bound_to_parent
from tools.services import postgres, valkey
from tools.services.environment import ROOT, clean_environment

PROFILED = "tools.bench.play.profiled_daphne"


class ServicesMissing(RuntimeError):
    """This machine has no PostgreSQL or no broker; the text says what to install."""


class Cost(NamedTuple):
    """What a process has used so far: memory in bytes, processor seconds since its start."""

    memory: int
    seconds: float


@dataclass
class Web:
    """One web process. `profile` is the file of its profile, or None."""

    env: dict[str, str]
    profile: Path | None = None
    url: str = ""
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and return when it responds, at its former port."""
        port = int(self.url.rpartition(":")[2]) if self.url else 0
        with listening_socket.open_socket("127.0.0.1", port) as listening:
            self.url = listening_socket.url_of(listening)
            command = processes.web_process(listening.fileno(), env={}).command
            if self.profile is not None:
                command = (sys.executable, "-m", PROFILED, str(self.profile), *command[3:])
            self.process = _started(command, self.env, pass_fds=(listening.fileno(),))
        end = time.monotonic() + 60
        while not listening_socket.responds(f"{self.url}/health/live"):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the web process did not come up")
            time.sleep(0.05)

    def kill(self, signal_number: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(signal_number)
            self.process.wait(30)


@dataclass
class Cluster:
    """A running cluster; `others` are the processes beside the web processes, by name."""

    env: dict[str, str]
    webs: list[Web]
    others: dict[str, list[int]] = field(default_factory=dict)

    def ask(self, function: str, *arguments: int) -> Any:
        """Call a function of tools.bench.play.test_data beside the cluster."""
        call = f"test_data.{function}(*{arguments!r})"
        code = f"from tools.bench.play import test_data; import json; print(json.dumps({call}))"
        shell = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
        done = subprocess.run(shell, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=900)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return json.loads(done.stdout.strip().splitlines()[-1])

    def costs(self, **more: int) -> dict[str, Cost]:
        """Return what each process has used until now; `more` are other processes, by name."""
        webs = {f"web {number}": [web.process.pid] for number, web in enumerate(self.webs, 1) if web.process}
        named = {**webs, **self.others, **{name: [pid] for name, pid in more.items()}}
        return {name: _cost(pids) for name, pids in named.items()}


def _cost(pids: list[int]) -> Cost:
    memory, seconds = 0, 0.0
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            for process in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True)):
                with suppress(psutil.NoSuchProcess):  # a session of PostgreSQL that just ended
                    memory += process.memory_info().rss
                    seconds += sum(process.cpu_times()[:2])
    return Cost(memory, seconds)


@contextmanager
def running_cluster(
    *,
    webs: int = 2,
    analysts: int = 1,
    durable: bool = True,
    sqlite: bool = False,
    profile: Path | None = None,
    **env: str,
) -> Iterator[Cluster]:
    """Run a cluster for the block. Raises NothingToStandOn.

    `analysts`: analysis workers, each with one process. `sqlite`: with its file instead of a server. `profile`: of the
    first web process.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablero-bench-")))
        before = set(_children())
        database: str | None = f"sqlite:///{folder / 'var' / 'tablero.sqlite3'}"
        if not sqlite:
            database = stack.enter_context(postgres.temporary_server(durable=durable))
        servers = {"postgres": list(set(_children()) - before)}
        broker = stack.enter_context(valkey.temporary_broker(folder / "run"))
        if database is None or broker is None:
            raise ServicesMissing(f"PostgreSQL or a broker is missing: {postgres.INSTALL}")
        servers["broker"] = list(set(_children()) - before - set(servers["postgres"]))
        around = clean_environment(
            CONNECTIONS_PER_ADDRESS="0", TABLERO_VAR=str(folder / "var"), DATABASE_URL=database, REDIS_URL=broker, **env
        )
        (folder / "var").mkdir(mode=0o700)
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, cwd=ROOT, env=around, check=True)
        cluster = Cluster(around, [Web(around, profile if number == 0 else None) for number in range(webs)], servers)
        stack.callback(_stop, cluster)
        for part in processes.worker_processes(env={}):
            analyses = part.name == "analysis"
            for _ in range(analysts if analyses else 1):
                worker = _started(part.command, around)
                cluster.others.setdefault("analysis" if analyses else "celery", []).append(worker.pid)
                stack.callback(_end, worker)
        for web in cluster.webs:
            web.start()
        yield cluster


def _started(
    command: tuple[str, ...], env: dict[str, str], *, pass_fds: tuple[int, ...] = ()
) -> subprocess.Popen[bytes]:
    """Start a process as the supervisor does, with the benchmark's output."""
    return subprocess.Popen(
        bound_to_parent(command), cwd=ROOT, env=env, pass_fds=pass_fds, stdin=subprocess.DEVNULL, start_new_session=True
    )


def _children() -> list[int]:
    return [process.pid for process in psutil.Process(os.getpid()).children()]


def _stop(cluster: Cluster) -> None:
    for web in cluster.webs:
        if web.process is not None:
            _end(web.process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
