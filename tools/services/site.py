"""The whole site as real processes on a new database, started as a newcomer starts it."""

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

from tools.services import prebuilt
from tools.services.environment import ROOT, clean_environment

URL = re.compile(r"http://\S+")


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Site:
    """A running `manage.py demo`: its URL, its folder and its output so far."""

    var: Path
    env: dict[str, str]
    process: subprocess.Popen[str]
    output: list[str] = field(default_factory=list)
    url: str = ""
    code: Path = ROOT
    _names: int = 0
    _django: subprocess.Popen[str] | None = None
    _asking: threading.Lock = field(default_factory=threading.Lock)

    def name(self, name: str) -> str:
        """Return a name that is new on this site, which outlives one test."""
        self._names += 1
        return f"{name}{self._names}"

    def rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Query the site's database; parameters are written `?`."""
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
        """Run Django code beside the site and return what it left in `answer` (JSON); one call at a time."""
        with self._asking:
            if self._django is None or self._django.poll() is not None:
                self._django = subprocess.Popen(
                    [sys.executable, "-m", "tools.services.django_process"],
                    cwd=self.code,
                    env={**self.env, "DJANGO_SETTINGS_MODULE": "backgammon.settings"},
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    start_new_session=True,
                )
            assert self._django.stdin is not None
            assert self._django.stdout is not None
            print(json.dumps(code), file=self._django.stdin, flush=True)
            reply = json.loads(self._django.stdout.readline())
        assert "error" not in reply, reply["error"]
        return reply["answer"]

    def wait_for_url(self, *, timeout: float = 180) -> str:
        """Return the URL once it is printed. Raises AssertionError with the output if it is not."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            for line in list(self.output):
                if found := URL.search(line):
                    self.url = found.group()
                    return self.url
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise AssertionError("the site did not start:\n" + "\n".join(self.output))

    def stop(self, signal_number: int = signal.SIGTERM, *, timeout: float = 60) -> int:
        """Stop the site and return its exit status."""
        if self._django is not None and self._django.stdin is not None:
            self._django.stdin.close()
            self._django.wait(timeout)
        if self.process.poll() is None:
            os.kill(self.process.pid, signal_number)
        return self.process.wait(timeout)


def start(
    var: Path,
    *arguments: str,
    command: tuple[str, ...] | None = None,
    code: Path = ROOT,
    from_nothing: bool = False,
    **env: str,
) -> Site:
    """Start `manage.py demo`, or another command, on the folder `var` without waiting for it.

    A site without a database starts with prepared empty tables; with `from_nothing` it starts as a newcomer's does,
    which takes longer.
    """
    if not (from_nothing or "DATABASE_URL" in env or (var / "tablero.sqlite3").exists()):
        prebuilt.copy_database(var / "tablero.sqlite3")
    if not (from_nothing or "STATICFILES_BACKEND" in env):
        env = {**env, **prebuilt.static_files(var)}
    environ = clean_environment(**{"TABLERO_VAR": str(var), "PYTHONUNBUFFERED": "1", **env})
    process = subprocess.Popen(
        command or (sys.executable, "manage.py", "demo", "--port", "0", *arguments),
        cwd=code,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    site = Site(var=var, env=environ, process=process)

    def read_output() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            site.output.append(line.rstrip())

    threading.Thread(target=read_output, daemon=True).start()
    return site


@contextmanager
def running(var: Path, *arguments: str, timeout: float = 180, **env: str) -> Iterator[Site]:
    """Run a site for the block; it has `timeout` seconds to start."""
    site = start(var, *arguments, **env)
    try:
        site.wait_for_url(timeout=timeout)
        yield site
    finally:
        try:
            site.stop()
        except subprocess.TimeoutExpired:
            site.process.kill()
            site.process.wait()


@contextmanager
def temporary_database(url: str, name: str, *, copied: str | None = None) -> Iterator[str]:
    """Create a database on the server of `url` for the block, apart from those of parallel tests; its URL.

    It has all tables and no rows, or is a copy of the database `copied`, which must have no connections.
    """
    import psycopg

    copied = copied or prebuilt.postgres_template(url)
    name = f"{name}_{secrets.token_hex(4)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{copied}"')  # type: ignore[call-overload]
    try:
        yield url.rsplit("/", 1)[0] + "/" + name
    finally:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')  # type: ignore[call-overload]
