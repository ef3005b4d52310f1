"""The three hosts as one site: how it is opened, and whether it is whole again after a fault."""

from __future__ import annotations

import http.client
import json
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import redis

from tools.faults.hosts import engines, network
from tools.faults.hosts.host import WEB, Host, Keeper
from tools.faults.site_processes import PLAIN_STATIC_FILES
from tools.services.environment import ROOT, clean_environment
from tools.services.site import Site

START = 180.0  # seconds for everything to come up
TIMEOUT = 2.0  # seconds of one question
BEAT_LEASE = "tablero:beat"


class Cluster(Site):
    """A site on three hosts; `ask` runs Django code on it from outside."""

    def __init__(self, folder: Path) -> None:
        self.var, self.output, self._asking = folder / "outside", [], threading.Lock()
        self.var.mkdir()
        self.stopping = threading.Event()  # nothing is waited for any more
        self.password = secrets.token_hex(16)
        self.hosts = [Host(number, folder / network.namespace(number), self.password) for number in network.NUMBERS]
        addresses = [host.address for host in self.hosts]
        self.env = clean_environment(
            PYTHONUNBUFFERED="1",
            SECRET_KEY=secrets.token_hex(32),
            ALLOWED_HOSTS=",".join(addresses),
            CONNECTIONS_PER_ADDRESS="0",
            LOG_LEVEL="WARNING",
            STATICFILES_BACKEND=PLAIN_STATIC_FILES,
            TABLERO_VAR=str(self.var),
            DATABASE_URL=self._database_url("tablero", "tablero"),
            REDIS_URL="redis+sentinel://{}/0?master={}".format(
                ",".join(f"{each}:{engines.SENTINEL}" for each in addresses), engines.MASTER
            ),
        )

    @property
    def urls(self) -> list[str]:
        return [host.web for host in self.hosts]

    def _database_url(self, user: str, name: str) -> str:
        hosts = ",".join(f"{host.address}:{engines.POSTGRES}" for host in self.hosts)
        return f"postgres://{user}:{self.password}@{hosts}/{name}"

    # The start

    def start(self) -> None:
        """Start the engines, create the database, and start the site. Raises TimeoutError with the end of the logs."""
        for host in self.hosts:
            host.start()
        self.wait_for("engines", lambda: not self.engine_faults(), START)
        as_owner = f"{self._database_url('postgres', 'postgres')}?target_session_attrs=read-write&connect_timeout=3"
        with psycopg.connect(as_owner, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE tablero LOGIN PASSWORD '{self.password}'")  # type: ignore[arg-type]
            connection.execute("CREATE DATABASE tablero OWNER tablero")
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, cwd=ROOT, env=self.env, check=True)
        for host in self.hosts:
            host.add_site(self.env)
            host.start()
        self.wait_whole(START)

    def wait_whole(self, seconds: float) -> None:
        """Wait until every part of every host works. Raises TimeoutError."""
        self.wait_for("hosts", lambda: not (self.engine_faults() or self.web_faults()), seconds)

    def wait_for(self, name: str, ready: Any, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not ready():
            if self.stopping.wait(0.5) or time.monotonic() > end:
                logs = "\n".join(f"== {host.address}\n{host.lines()[-3000:]}" for host in self.hosts)
                faults = [*self.engine_faults(), *self.web_faults()]
                raise TimeoutError(f"the {name} are not ready after {seconds:g} s: {faults}\n{logs}")

    # What is where, and what is wrong

    def engine_faults(self) -> list[str]:
        """Return what does not work of etcd, PostgreSQL and Redis."""
        found = [
            f"etcd of {host.address}" for host in self.hosts if _get(host.address, engines.ETCD, "/health") is None
        ]
        members = self._members()
        roles = sorted(member["role"] for member in members)
        states = {member["state"] for member in members}
        timelines = {member.get("timeline") for member in members}
        if roles != ["leader", "replica", "sync_standby"] or not states <= {"running", "streaming"}:
            found.append(f"PostgreSQL: {roles} {sorted(states)}")
        elif len(timelines) != 1:
            found.append("PostgreSQL: a standby follows an older timeline")
        roles_of_redis = sorted(self._redis_role(host) for host in self.hosts)
        if roles_of_redis != ["master", "slave", "slave"]:
            found.append(f"Redis: {roles_of_redis}")
        return found + [f"the sentinel of {host.address}" for host in self.hosts if self._master_of(host) is None]

    def web_faults(self) -> list[str]:
        ready = {host.address: _get(host.address, WEB, "/health/ready") for host in self.hosts}
        return [
            f"the web of {address}: {answer}" for address, answer in ready.items() if not (answer or {}).get("ready")
        ]

    def primary(self) -> int | None:
        """Return the number of the host whose PostgreSQL is written to."""
        names = [member["name"] for member in self._members() if member["role"] == "leader"]
        return int(names[0].removeprefix("host")) if names else None

    def roles(self, number: int) -> list[str]:
        """Return what a host does at this moment that the others do not."""
        master = next(filter(None, map(self._master_of, self.hosts)), None)
        roles = ["database"] if self.primary() == number else []
        roles += ["synchronous standby"] if self._sync_standby() == number else []
        roles += ["broker"] if master == network.address(number) else []
        with redis.Redis(master or "", engines.REDIS, socket_timeout=TIMEOUT, decode_responses=True) as client:
            holder = client.get(BEAT_LEASE)
        return roles + (["beat"] if str(holder).endswith(f"/{network.namespace(number)}/var") else [])

    def _sync_standby(self) -> int | None:
        names = [member["name"] for member in self._members() if member["role"] == "sync_standby"]
        return int(names[0].removeprefix("host")) if names else None

    def _members(self) -> list[dict[str, Any]]:
        for host in self.hosts:
            if (answer := _get(host.address, engines.PATRONI, "/cluster")) and answer.get("members"):
                members: list[dict[str, Any]] = answer["members"]
                return members
        return []

    def _redis_role(self, host: Host) -> str:
        try:
            with redis.Redis(host.address, engines.REDIS, socket_timeout=TIMEOUT) as client:
                facts: dict[str, Any] = client.info("replication")  # type: ignore[assignment]
        except redis.RedisError:
            return "away"
        return str(facts["role"]) if facts.get("master_link_status", "up") == "up" else "behind"

    def _master_of(self, host: Host) -> str | None:
        """Return the address of the master that a host's sentinel names, while it sees both others."""
        try:
            with redis.Redis(host.address, engines.SENTINEL, socket_timeout=TIMEOUT) as client:
                facts = client.sentinel_master(engines.MASTER)
        except (redis.RedisError, OSError):
            return None
        return str(facts["ip"]) if facts["is_master"] and not facts["is_sdown"] else None


def _get(host: str, port: int, path: str) -> dict[str, Any] | None:
    """Return a JSON answer whatever its status; None without one."""
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT)
    try:
        connection.request("GET", path)
        answer: dict[str, Any] = json.loads(connection.getresponse().read())
        return answer
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """Run the three hosts for the block."""
    with ExitStack() as stack:
        stack.enter_context(network.hosts())
        cluster = Cluster(folder)
        stack.callback(_close, cluster)
        stack.enter_context(Keeper(cluster.hosts))
        cluster.start()
        yield cluster


def _close(cluster: Cluster) -> None:
    for host in cluster.hosts:
        host.kill()
    if cluster._django is not None:
        cluster._django.kill()
        cluster._django.wait()
