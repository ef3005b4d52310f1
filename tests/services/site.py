"""The whole site as real processes on a fresh database, started as a newcomer starts it."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.services import template
from tests.services.environment import ROOT, clean

ADDRESS = re.compile(r"http://\S+")


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass
class Site:
    """A running `manage.py demo`: its address, its folder and what it said so far."""

    var: Path
    env: dict[str, str]
    process: subprocess.Popen[str]
    said: list[str] = field(default_factory=list)
    url: str = ""
    _names: int = 0
    _beside: subprocess.Popen[str] | None = None
    _asking: threading.Lock = field(default_factory=threading.Lock)

    def name(self, name: str) -> str:
        """A name that nobody has yet on this site, which outlives one test."""
        self._names += 1
        return f"{name}{self._names}"

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """What the site's database answers; parameters are written `?`."""
        if url := self.env.get("DATABASE_URL"):
            import psycopg

            with psycopg.connect(url) as connection:
                return connection.execute(sql.replace("?", "%s"), parameters).fetchall()  # type: ignore[arg-type]
        connection = sqlite3.connect(self.var / "tablero.sqlite3", timeout=20)
        try:
            return connection.execute(sql, parameters).fetchall()
        finally:
            connection.close()

    def ask(self, code: str) -> Any:
        """Run Django code beside the site and return what it left in `answer` (JSON); one piece after the other."""
        with self._asking:
            if self._beside is None or self._beside.poll() is not None:
                self._beside = subprocess.Popen(
                    [sys.executable, "-m", "tests.services.beside"],
                    cwd=ROOT,
                    env={**self.env, "DJANGO_SETTINGS_MODULE": "backgammon.settings"},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    start_new_session=True,
                )
            assert self._beside.stdin is not None
            assert self._beside.stdout is not None
            print(json.dumps(code), file=self._beside.stdin, flush=True)
            reply = json.loads(self._beside.stdout.readline())
        assert "wrong" not in reply, reply["wrong"]
        return reply["answer"]

    def wait_for_address(self, *, timeout: float = 180) -> str:
        """The address once it is printed. Raises AssertionError with everything said when it is not."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            for line in list(self.said):
                if found := ADDRESS.search(line):
                    self.url = found.group()
                    return self.url
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError("the site did not come up:\n" + "\n".join(self.said))

    def stop(self, how: int = signal.SIGTERM, *, timeout: float = 20) -> int:
        """Ask it to stop and return its exit code."""
        if self._beside is not None and self._beside.stdin is not None:
            self._beside.stdin.close()
            self._beside.wait(timeout)
        if self.process.poll() is None:
            os.kill(self.process.pid, how)
        return self.process.wait(timeout)


def start(
    var: Path, *arguments: str, command: tuple[str, ...] | None = None, from_nothing: bool = False, **env: str
) -> Site:
    """Start `manage.py demo` on the folder `var` without waiting for it.

    A site of no database yet begins with empty tables, or `from_nothing` as a newcomer's does, which takes its time.
    """
    if not (from_nothing or "DATABASE_URL" in env or (var / "tablero.sqlite3").exists()):
        template.lay_down(var / "tablero.sqlite3")
    if not (from_nothing or "STATICFILES_BACKEND" in env):
        env = {**env, **template.statics(var)}
    environ = clean(TABLERO_VAR=str(var), PYTHONUNBUFFERED="1", **env)
    process = subprocess.Popen(
        command or (sys.executable, "manage.py", "demo", "--port", "0", *arguments),
        cwd=ROOT,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    site = Site(var=var, env=environ, process=process)

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            site.said.append(line.rstrip())

    threading.Thread(target=listen, daemon=True).start()
    return site


@contextmanager
def running(var: Path, *arguments: str, patience: float = 180, **env: str) -> Iterator[Site]:
    """A site that answers, for as long as the block; `patience` seconds are given to it to come up."""
    site = start(var, *arguments, **env)
    try:
        site.wait_for_address(timeout=patience)
        yield site
    finally:
        try:
            site.stop()
        except subprocess.TimeoutExpired:
            site.process.kill()
            site.process.wait()


@contextmanager
def own_database(url: str, name: str, *, copied: str | None = None) -> Iterator[str]:
    """The URL of a new database on the server of `url`, dropped at the end; tests that run beside have others.

    It has all tables and nobody in them, or is a copy of the database `copied`, to which nobody is connected.
    """
    import psycopg

    copied = copied or template.postgres(url)
    name = f"{name}_{secrets.token_hex(4)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{copied}"')  # type: ignore[call-overload]
    try:
        yield url.rsplit("/", 1)[0] + "/" + name
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')  # type: ignore[call-overload]
