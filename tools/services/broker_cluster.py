"""A temporary cluster of three brokers for tests: Redis or Valkey, each with a third of the slots."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from redis import Redis, RedisError
from redis.crc import key_slot

from backgammon.demo import broker
from backgammon.demo.parent_watch import bound_to_parent
from tools.services.site import free_port

SIZE, SLOTS = 3, 16_384


@dataclass
class Cluster:
    """The ports of its primaries; each process may be killed and started again."""

    program: str
    folder: Path
    ports: tuple[int, ...]
    processes: dict[int, subprocess.Popen[bytes]] = field(default_factory=dict)
    buses: dict[int, int] = field(default_factory=dict)
    """The ports at which the nodes talk to each other."""

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def client(self, port: int) -> Redis:
        return Redis(port=port, socket_timeout=5, decode_responses=True)

    def start(self, port: int) -> None:
        """Start the node at a port, with what it knew of the cluster."""
        folder = self.folder / str(port)
        folder.mkdir(exist_ok=True)
        bus = self.buses.setdefault(port, free_port())
        options = {
            "--port": str(port),
            "--bind": "127.0.0.1",
            "--dir": str(folder),
            "--save": "",
            "--loglevel": "warning",
            "--cluster-enabled": "yes",
            "--cluster-node-timeout": "2000",
            "--cluster-port": str(bus),
        }
        command = (self.program, *(word for pair in options.items() for word in pair))
        self.processes[port] = subprocess.Popen(
            bound_to_parent(command), stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        )
        _wait(self.client(port).ping, f"the node at {port} did not start")

    def kill(self, port: int) -> None:
        self.processes[port].kill()
        self.processes[port].wait()

    def wait_until_whole(self) -> None:
        """Wait until every node knows that all slots are served."""
        for port in self.ports:
            _wait(partial(self._is_whole, port), f"the node at {port} finds no whole cluster")

    def port_of(self, channel: str) -> int:
        """The port of the node that serves a channel."""
        slot = key_slot(channel.encode())
        for name, node in self.client(self.ports[0]).execute_command("CLUSTER NODES").items():
            if any(int(each[0]) <= slot <= int(each[-1]) for each in node["slots"]):
                return int(name.rpartition(":")[2])
        raise LookupError(channel)

    def subscribers(self, channel: str) -> int:
        """How many connections are subscribed to a channel, at the node that serves it."""
        [(_, number)] = self.client(self.port_of(channel)).execute_command("PUBSUB SHARDNUMSUB", channel)
        return int(number)

    def move(self, channel: str, port: int) -> None:
        """Let the node at `port` serve the slot of a channel from now on."""
        slot, node, home = key_slot(channel.encode()), self._id(port), self.port_of(channel)
        self.client(port).execute_command("CLUSTER SETSLOT", slot, "IMPORTING", self._id(home))
        self.client(home).execute_command("CLUSTER SETSLOT", slot, "MIGRATING", node)
        for each in (port, *(other for other in self.ports if other != port)):
            self.client(each).execute_command("CLUSTER SETSLOT", slot, "NODE", node)

    def _is_whole(self, port: int) -> bool:
        return bool(self.client(port).execute_command("CLUSTER INFO")["cluster_state"] == "ok")

    def _id(self, port: int) -> str:
        return str(self.client(port).execute_command("CLUSTER MYID"))

    def join(self) -> None:
        """Make a cluster of the nodes that were started."""
        first, *others = self.ports
        for number, port in enumerate(self.ports):
            slots = range(SLOTS * number // SIZE, SLOTS * (number + 1) // SIZE)
            self.client(port).execute_command("CLUSTER ADDSLOTSRANGE", slots.start, slots.stop - 1)
            self.client(port).execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
        for port in others:
            self.client(first).execute_command("CLUSTER MEET", "127.0.0.1", port, self.buses[port])
        self.wait_until_whole()


@contextmanager
def temporary_cluster(folder: Path) -> Iterator[Cluster | None]:
    """Run a cluster for the block; None if this machine has no broker that can form one."""
    try:
        found = broker.find({}, folder)
    except broker.NoBroker:
        yield None
        return
    if found.command is None or found.name == "fakeredis":
        yield None
        return
    cluster = Cluster(found.command[0], folder, tuple(free_port() for _ in range(SIZE)))
    with ExitStack() as ending:
        for port in cluster.ports:
            cluster.start(port)
            ending.callback(cluster.kill, port)
        cluster.join()
        yield cluster


def _wait(is_so: Callable[[], object], complaint: str) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            if is_so():
                return
        except (RedisError, OSError):
            pass
        if time.monotonic() > end:
            raise RuntimeError(complaint)
        time.sleep(0.02)
