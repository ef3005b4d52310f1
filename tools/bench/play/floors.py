"""What this machine can do at best: durable commits of one row, and WebSocket echoes, at the rate of a benchmark.

With them, figures of different machines can be compared as ratios.
"""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from backgammon.demo import listening_socket, processes
from backgammon.demo.parent_watch import bound_to_parent
from tools.bench.play import percentiles
from tools.bench.play.cluster import Cluster
from tools.bench.play.websocket_client import Wire, opened
from tools.services.environment import ROOT

SECONDS = 5.0
SOCKETS = 20
FRAME = b'{"t":"act","id":"4f1c0000-7","after":41,"action":"8/5 6/5"}'


def commit_p95(cluster: Cluster, rate: float) -> float:
    """The milliseconds within which 95 % of `rate` commits a second are durable, each of one row."""
    with _commits(cluster.env["DATABASE_URL"]) as commit:
        return _p95(_timed(commit, rate))


@contextmanager
def _commits(database: str) -> Iterator[Callable[[int], None]]:
    if database.startswith("sqlite"):
        path = database.removeprefix("sqlite:///")
        file = sqlite3.connect(path, isolation_level=None, timeout=20)
        file.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE floor (n integer)")
        yield lambda n: file.execute("INSERT INTO floor VALUES (?)", [n]) and None
        file.execute("DROP TABLE floor")
        file.close()
        return
    with psycopg.connect(database, autocommit=True) as server:
        server.execute("CREATE TABLE floor (n integer)")
        yield lambda n: server.execute("INSERT INTO floor VALUES (%s)", [n]) and None
        server.execute("DROP TABLE floor")


def _timed(call: Callable[[int], None], rate: float) -> list[float]:
    """The seconds that each call takes, begun at this rate if the ones before have ended."""
    begun, seconds = time.perf_counter(), []
    for n in range(int(rate * SECONDS)):
        time.sleep(max(0.0, begun + n / rate - time.perf_counter()))
        started = time.perf_counter()
        call(n)
        seconds.append(time.perf_counter() - started)
        if time.perf_counter() - begun > 2 * SECONDS:
            break
    return seconds


def echo_p95(rate: float) -> float:
    """The milliseconds within which 95 % of `rate` frames a second come back from a bare daphne."""
    with listening_socket.open_socket("127.0.0.1", 0) as listening:
        url = listening_socket.url_of(listening)
        command = list(processes.web_process(listening.fileno(), env={}).command)
        command[command.index("backgammon.asgi:application")] = "tools.bench.play.echo:application"
        server = subprocess.Popen(
            bound_to_parent(tuple(command)), cwd=ROOT, pass_fds=(listening.fileno(),), start_new_session=True
        )
    try:
        return _p95(asyncio.run(_echoes(f"{url.replace('http', 'ws', 1)}/echo", rate)))
    finally:
        server.kill()
        server.wait()


async def _echoes(url: str, rate: float) -> list[float]:
    seconds: list[float] = []
    sent: list[list[float]] = [[] for _ in range(SOCKETS)]

    def received(number: int) -> Callable[[bytes], None]:
        return lambda text: seconds.append(time.perf_counter() - sent[number].pop(0))

    wires: list[Wire] = []
    for number in range(SOCKETS):
        wires.append(await _connected(url, received(number)))
    begun = time.perf_counter()
    for n in range(int(rate * SECONDS)):
        await asyncio.sleep(max(0.0, begun + n / rate - time.perf_counter()))
        sent[n % SOCKETS].append(time.perf_counter())
        wires[n % SOCKETS].send(FRAME)
    await asyncio.sleep(0.5)
    return seconds


async def _connected(url: str, received: Callable[[bytes], Any]) -> Wire:
    end = time.monotonic() + 30
    while True:
        try:
            return await opened(url, "", received=received, closed=lambda code: None)
        except OSError:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.1)


def _p95(seconds: list[float]) -> float:
    return round(1000 * percentiles.at(0.95, seconds), 2)
