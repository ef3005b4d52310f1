"""One host: its processes, which are started again when they end, as systemd does, and killed all at once."""

from __future__ import annotations

import os
import pwd
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from backgammon.demo import processes
from tools.faults.hosts import network
from tools.faults.hosts.engines import Unit, engines_of
from tools.services.environment import ROOT

WEB = 8000
RESTART_AFTER = 1.0  # seconds, as RestartSec of the units in docs/deploy/systemd


class Host:
    """The host with this number. Its files are in `folder`, all output in `folder/log`."""

    def __init__(self, number: int, folder: Path, password: str) -> None:
        self.number, self.folder = number, folder
        self.address = network.address(number)
        self.web = f"http://{self.address}:{WEB}"
        self.log = folder / "log"
        folder.mkdir(mode=0o755)
        (folder / "var" / "static").mkdir(parents=True)  # no page is shown: no files
        self._units = engines_of(number, folder, password)
        self._environments: dict[str, Mapping[str, str]] = {}
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._ended_at: dict[str, float] = {}
        self._lock = threading.Lock()
        self.restarted: list[str] = []
        account = pwd.getpwnam("postgres")
        self._postgres = (account.pw_uid, account.pw_gid)
        for path in (folder / "postgres", *(folder / "postgres").iterdir()):
            os.chown(path, *self._postgres)

    def add_site(self, env: Mapping[str, str]) -> None:
        """Add the processes of the site: a web process, the worker of clocks and beat."""
        clocks, _bots, _analysis, beat = processes.worker_processes(env={})
        for unit in (
            Unit("web", web_command(self.address)),
            Unit("clocks", clocks.command),
            Unit("beat", (*beat.command, "--schedule", str(self.folder / "var" / "beat"))),
        ):
            self._units.append(unit)
            self._environments[unit.name] = {**env, "TABLERO_VAR": str(self.folder / "var")}

    def start(self) -> None:
        """Start every process that does not run."""
        with self._lock:
            for unit in self._units:
                if unit.name not in self._running:
                    self._start(unit)

    def kill(self) -> None:
        """Kill all processes at once, as when the power goes."""
        with self._lock:
            running, self._running = self._running, {}
            network.kill_all(self.number)
        for process in running.values():
            process.wait(10)

    def restart_ended(self) -> None:
        """Start again what ended by itself."""
        with self._lock:
            for unit in self._units:
                process = self._running.get(unit.name)
                if process is None or process.poll() is None:
                    continue
                since = self._ended_at.setdefault(unit.name, time.monotonic())
                if time.monotonic() - since >= RESTART_AFTER:
                    del self._ended_at[unit.name]
                    self.restarted.append(unit.name)
                    self._start(unit)

    def lines(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def _start(self, unit: Unit) -> None:
        command = network.command_in(self.number, unit.command, user=self._postgres if unit.as_postgres else None)
        with self.log.open("ab") as log:
            self._running[unit.name] = subprocess.Popen(
                command,
                cwd=self.folder / "postgres" if unit.as_postgres else ROOT,
                env=self._environments.get(unit.name, {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


def web_command(address: str) -> tuple[str, ...]:
    """Return the command of docs/operations.md that serves on an address of its own."""
    words = processes.web_process(0, env={}).command
    at = words.index("--fd")
    return (*words[:at], "-b", address, "-p", str(WEB), *words[at + 2 :])


class Keeper:
    """A thread that starts ended processes again, on every host that is not meant to be down."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        self.hosts = hosts
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Keeper:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(0.3):
            for host in self.hosts:
                with suppress(OSError):
                    host.restart_ended()
