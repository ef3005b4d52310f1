"""The engines of a host and their configuration: etcd, Patroni with PostgreSQL, Redis and its sentinel.

docs/scaling.md has the same commands and values for real machines.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from tools.faults.hosts.network import NUMBERS, address

PROGRAMS = {
    "ip": "iproute2",
    "nsenter": "util-linux",
    "etcd": "etcd-server",
    "patroni": "patroni",
    "redis-server": "redis-server",
    "redis-sentinel": "redis-sentinel",
}
"""Each program, and the Debian package that has it."""

MASTER = "tablero"
POSTGRES, PATRONI, REDIS, SENTINEL, ETCD, ETCD_PEERS = 5432, 8008, 6379, 26379, 2379, 2380

# Seconds until another PostgreSQL takes over: the leader's key ends after `ttl`, which begins anew when etcd elects a
# leader. Not less than loop_wait + 2 * retry_timeout. A retry is longer than an election of etcd, or the death of
# etcd's leader stops a primary that is well.
FAILOVER: dict[str, object] = {"ttl": 7, "loop_wait": 1, "retry_timeout": 3, "maximum_lag_on_failover": 1048576}
SENTINEL_DOWN_AFTER = 3000  # milliseconds without an answer
PARAMETERS = {
    "max_connections": 200,
    "shared_buffers": "64MB",
    "wal_level": "replica",
    "hot_standby": "on",
    "wal_log_hints": "on",  # pg_rewind needs it
    "wal_keep_size": "256MB",
    "max_wal_senders": 10,
    "max_replication_slots": 10,
    # A standby whose link is cut leaves the commits waiting until it is given up.
    "wal_sender_timeout": "3s",
    "wal_receiver_timeout": "3s",
    "tcp_user_timeout": "3s",
    "tcp_keepalives_idle": 2,
    "tcp_keepalives_interval": 1,
    "tcp_keepalives_count": 3,
}


@dataclass(frozen=True)
class Unit:
    """One process of a host: its command, and whether it runs as the user of PostgreSQL."""

    name: str
    command: tuple[str, ...]
    as_postgres: bool = False


def missing() -> list[str]:
    """Return the Debian packages to install; empty if all programs are there."""
    packages = [package for program, package in PROGRAMS.items() if not shutil.which(program)]
    return packages if postgres_programs() else [*packages, "postgresql"]


def postgres_programs() -> Path | None:
    """Return the folder of the newest PostgreSQL of the system."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    return found[-1].parent if found else None


def engines_of(number: int, folder: Path, password: str) -> list[Unit]:
    """Write the configuration of a host into its folder, and return its engines in the order of their start."""
    for name in ("etcd", "redis", "postgres"):
        (folder / name).mkdir(exist_ok=True)
    patroni = folder / "postgres" / "patroni.json"
    patroni.write_text(json.dumps(_patroni(number, folder / "postgres", password), indent=1))
    sentinel = folder / "redis" / "sentinel.conf"
    if not sentinel.exists():  # the sentinel writes what it learns into it
        sentinel.write_text(_sentinel(number, folder / "redis"))
    return [
        Unit("etcd", _etcd(number, folder / "etcd")),
        Unit("redis", _redis(number, folder / "redis")),
        Unit("sentinel", ("redis-sentinel", str(sentinel))),
        Unit("patroni", ("patroni", str(patroni)), as_postgres=True),
    ]


def _etcd(number: int, folder: Path) -> tuple[str, ...]:
    here, peer = f"http://{address(number)}:{ETCD}", f"http://{address(number)}:{ETCD_PEERS}"
    options = {
        "name": f"host{number}",
        "data-dir": str(folder),
        "listen-client-urls": f"{here},http://127.0.0.1:{ETCD}",
        "advertise-client-urls": here,
        "listen-peer-urls": peer,
        "initial-advertise-peer-urls": peer,
        "initial-cluster": ",".join(f"host{each}=http://{address(each)}:{ETCD_PEERS}" for each in NUMBERS),
        "initial-cluster-state": "new",
        "heartbeat-interval": "100",  # milliseconds
        "election-timeout": "700",
        "pre-vote": "true",  # a host whose link was cut does not force an election when it is back
        "enable-v2": "true",
        "log-level": "warn",
        "logger": "zap",
    }
    return ("etcd", *(f"--{name}={value}" for name, value in options.items()))


def _redis(number: int, folder: Path) -> tuple[str, ...]:
    """Memory alone: what is in the broker may be lost. The first host is the master until a sentinel decides."""
    replica = () if number == NUMBERS[0] else ("--replicaof", f"{address(NUMBERS[0])} {REDIS}")
    return (
        *("redis-server", "--bind", address(number), "127.0.0.1", "--port", str(REDIS), "--protected-mode", "no"),
        *("--dir", str(folder), "--save", "", "--appendonly", "no", "--repl-timeout", "5"),
        *("--repl-ping-replica-period", "1", "--repl-diskless-sync-delay", "0", *replica),
    )


def _sentinel(number: int, folder: Path) -> str:
    return (
        f"bind {address(number)} 127.0.0.1\nport {SENTINEL}\nprotected-mode no\ndir {folder}\n"
        f"sentinel monitor {MASTER} {address(NUMBERS[0])} {REDIS} 2\n"
        f"sentinel down-after-milliseconds {MASTER} {SENTINEL_DOWN_AFTER}\n"
        f"sentinel failover-timeout {MASTER} 10000\n"
    )


def _patroni(number: int, folder: Path, password: str) -> dict[str, object]:
    here = address(number)
    access = ["local all all trust", "host replication replicator 10.77.0.0/24 scram-sha-256"]
    access += ["host replication replicator 127.0.0.1/32 scram-sha-256"]
    access += ["host all all 10.77.0.0/24 scram-sha-256", "host all all 127.0.0.1/32 scram-sha-256"]
    shared: dict[str, object] = {
        **FAILOVER,
        "synchronous_mode": True,
        "postgresql": {"use_pg_rewind": True, "use_slots": True, "parameters": PARAMETERS},
    }
    return {
        "scope": "tablero",
        "name": f"host{number}",
        "log": {"level": "WARNING"},
        "restapi": {"listen": f"{here}:{PATRONI}", "connect_address": f"{here}:{PATRONI}"},
        # etcd's API of version 2: with that of version 3, Patroni 3.0.2 takes the leadership back when a link that was
        # cut is mended, though another PostgreSQL has been promoted since.
        "etcd": {"hosts": [f"{address(each)}:{ETCD}" for each in NUMBERS]},
        "bootstrap": {
            "dcs": shared,
            "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}],
            "pg_hba": access,
        },
        "postgresql": {
            "listen": f"{here},127.0.0.1:{POSTGRES}",
            "connect_address": f"{here}:{POSTGRES}",
            "data_dir": str(folder / "data"),
            "bin_dir": str(postgres_programs()),
            "pgpass": str(folder / "pgpass"),
            "authentication": {
                "superuser": {"username": "postgres", "password": password},
                "replication": {"username": "replicator", "password": password},
                "rewind": {"username": "rewind", "password": password},
            },
            "pg_hba": access,
            "parameters": {"unix_socket_directories": str(folder)},
            "remove_data_directory_on_rewind_failure": True,
            "remove_data_directory_on_diverged_timelines": True,
        },
        "watchdog": {"mode": "off"},
        "tags": {"nofailover": False},
    }
