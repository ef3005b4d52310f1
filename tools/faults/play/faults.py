"""The faults: each selects the matches it affects, does its damage, and repairs the site.

What is measured is the time until the affected matches go on.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import redis
from websockets.asyncio.client import connect

from backgammon.demo import listening_socket
from tools.faults.play.bot import BROKEN
from tools.faults.play.breakable_site import WEBS, BreakableSite
from tools.faults.play.frame_faults import FRAME_FAULTS
from tools.faults.play.table import Table
from tools.services.environment import ROOT

SKEWED = str(ROOT / "tools" / "faults" / "skewed_clock")
HOUR = 3600
SOCKETS_EACH = 8  # allowed for one member
WORKERS = ("clocks", "beat")
SIDE_BY_SIDE = 5.0  # seconds that old and new processes serve together before the next is replaced
RECONNECT_TIMEOUT = 120.0  # seconds until the last spectator has received a state


class FaultRun(Protocol):
    """What a fault needs of the run that it disturbs."""

    site: BreakableSite
    choose: Random
    crowd: list[str]

    @property
    def live(self) -> list[Table]: ...

    def at_web(self, number: int) -> list[Table]: ...

    def breach(self, text: str) -> None: ...


@dataclass
class Outcome:
    """One fault that happened: when, the matches it affected, and the seconds until they went on."""

    kind: str
    at: float = 0.0
    touched: list[Table] = field(default_factory=list)
    first: float | None = None
    all: float | None = None
    note: str = ""

    def strike(self, tables: Sequence[Table]) -> None:
        self.at = time.monotonic()
        self.touched = [table for table in tables if not table.over and not table.asleep]


Does = Callable[["FaultRun", Outcome], Awaitable[None]]


@dataclass(frozen=True)
class Kind:
    """A kind of fault, chosen by `weight`; a `light` one kills no process and may coincide with another."""

    name: str
    does: Does
    weight: float = 1.0
    light: bool = False


# Processes


async def kill_web(run: FaultRun, outcome: Outcome) -> None:
    number = run.choose.randrange(len(WEBS))
    run.site.kill(WEBS[number])
    outcome.strike(run.at_web(number))
    await asyncio.sleep(run.choose.uniform(0, 2))
    await asyncio.to_thread(run.site.start, WEBS[number])


async def drain_web(run: FaultRun, outcome: Outcome) -> None:
    """SIGTERM: everything acknowledged is kept, and the process ends by itself."""
    number = run.choose.randrange(len(WEBS))
    outcome.strike(run.at_web(number))
    try:
        await asyncio.to_thread(run.site.drain, WEBS[number])
    except subprocess.TimeoutExpired:
        run.breach(f"{WEBS[number]} did not end within 30 s of SIGTERM")
        run.site.kill(WEBS[number])
    await asyncio.to_thread(run.site.start, WEBS[number])


async def hang_web(run: FaultRun, outcome: Outcome) -> None:
    """Suspend a web process with all its connections for longer than a player waits."""
    number = run.choose.randrange(len(WEBS))
    outcome.strike(run.at_web(number))
    await _hang(run, WEBS[number], 9)


async def kill_worker(run: FaultRun, outcome: Outcome) -> None:
    await _kill(run, outcome, "clocks", 1.5)


async def kill_beat(run: FaultRun, outcome: Outcome) -> None:
    await _kill(run, outcome, "beat", 1.5)


async def two_beats(run: FaultRun, outcome: Outcome) -> None:
    """A second beat sends every task twice."""
    await asyncio.to_thread(run.site.start, "beat2")
    outcome.strike(run.live)
    await asyncio.sleep(5)
    run.site.kill("beat2")


async def restart_broker(run: FaultRun, outcome: Outcome) -> None:
    await _kill(run, outcome, "broker", 1.0)


async def hang_broker(run: FaultRun, outcome: Outcome) -> None:
    outcome.strike(run.live)
    await _hang(run, "broker", 3)


async def flush_broker(run: FaultRun, outcome: Outcome) -> None:
    def flush() -> None:
        with redis.Redis.from_url(run.site.broker.url) as client:
            client.flushall()

    outcome.strike(run.live)
    await asyncio.to_thread(flush)


async def restart_database(run: FaultRun, outcome: Outcome) -> None:
    outcome.strike(run.live)
    await asyncio.to_thread(run.site.database.crash)
    await asyncio.sleep(run.choose.uniform(0, 1))
    await asyncio.to_thread(run.site.database.start)


async def full_disk(run: FaultRun, outcome: Outcome) -> None:
    """Leave no space for new pages until some inserts have failed."""
    before = run.site.failed_writes()
    outcome.strike(run.live)
    await asyncio.to_thread(run.site.fill_disk)
    try:
        for _ in range(200):
            await asyncio.sleep(0.1)
            if run.site.failed_writes() > before:
                break
        await asyncio.sleep(1.5)
    finally:
        await asyncio.to_thread(run.site.free_disk)
    outcome.note = f"{run.site.failed_writes() - before} writes failed"
    if run.site.failed_writes() == before:
        run.breach("the disk was never full: this fault does nothing")


async def skewed_clock(run: FaultRun, outcome: Outcome) -> None:
    """Run a process with a clock that is an hour ahead or behind for some seconds."""
    name = run.choose.choice([*WEBS, "clocks", "beat"])
    skew = run.choose.choice([HOUR, -HOUR])
    run.site.kill(name)
    outcome.strike(run.at_web(WEBS.index(name)) if name in WEBS else run.live)
    outcome.note = f"{name} {skew:+} s"
    await asyncio.to_thread(run.site.start, name, PYTHONPATH=SKEWED, CLOCK_SKEW=str(skew))
    await asyncio.sleep(8)
    run.site.kill(name)
    await asyncio.to_thread(run.site.start, name)


async def upgrade(run: FaultRun, outcome: Outcome) -> None:
    """A rolling upgrade: the new tables under the old processes, then one process after another is replaced.

    The old and the new version serve side by side for some seconds, on one database and one broker.
    """
    outcome.strike(run.live)
    await asyncio.to_thread(run.site.upgrade)
    for name in (*WEBS, *WORKERS):
        await asyncio.sleep(SIDE_BY_SIDE)
        await asyncio.to_thread(run.site.drain, name)
        await asyncio.to_thread(run.site.start, name)
        if name in WEBS:
            url = run.site.urls[WEBS.index(name)]
            await asyncio.to_thread(run.site.wait_for, name, lambda url=url: listening_socket.responds(url))


async def _kill(run: FaultRun, outcome: Outcome, name: str, away: float) -> None:
    run.site.kill(name)
    outcome.strike(run.live)
    await asyncio.sleep(run.choose.uniform(0, away))
    await asyncio.to_thread(run.site.start, name)


async def _hang(run: FaultRun, name: str, seconds: float) -> None:
    run.site.suspend(name)
    await asyncio.sleep(seconds)
    run.site.resume(name)


# Connections


async def slow_network(run: FaultRun, outcome: Outcome) -> None:
    run.site.network.delay = run.choose.uniform(0.1, 0.6)
    outcome.strike(run.live)
    await asyncio.sleep(4)
    run.site.network.delay = 0.0


async def crumbs(run: FaultRun, outcome: Outcome) -> None:
    """Split the byte stream into pieces of a few bytes."""
    run.site.network.crumb = run.choose.randint(1, 7)
    outcome.strike(run.live)
    await asyncio.sleep(4)
    run.site.network.crumb = 0


async def resets(run: FaultRun, outcome: Outcome) -> None:
    outcome.strike(run.live)
    for proxy in run.site.proxies:
        for connection in proxy.sample(0.5):
            connection.reset()


async def black_hole(run: FaultRun, outcome: Outcome) -> None:
    """Leave half of the connections open without forwarding anything."""
    outcome.strike(run.live)
    for proxy in run.site.proxies:
        for connection in proxy.sample(0.5):
            connection.hole = True


def frames(kind: str) -> Does:
    async def does(run: FaultRun, outcome: Outcome) -> None:
        chosen = [table for table in run.live if run.choose.random() < 0.5] or run.live
        outcome.strike(chosen)
        bots = [bot for table in chosen for bot in table.bots]
        before = sum(bot.frame_faults.count for bot in bots)
        for bot in bots:
            bot.frame_faults.kind = kind
        await asyncio.sleep(3)
        for bot in bots:
            bot.frame_faults.kind = None
        outcome.note = f"{sum(bot.frame_faults.count for bot in bots) - before} frames"

    return does


async def storm(run: FaultRun, outcome: Outcome) -> None:
    """Many spectators connect at once, each with a socket; those that are refused try again."""
    outcome.strike(run.live)
    started_at, watched = time.monotonic(), [table.match_id for table in run.live]
    size = len(run.crowd) * SOCKETS_EACH
    arrived, all_here, failed = list[float](), asyncio.Event(), Counter[str]()

    async def watch(number: int) -> None:
        base = run.site.urls[number % len(run.site.urls)]
        url = f"{base.replace('http', 'ws', 1)}/ws/match/{watched[number % len(watched)]}/"
        headers = {"Cookie": run.crowd[number // SOCKETS_EACH], "Origin": base}
        settings: dict[str, Any] = {"compression": None, "proxy": None, "open_timeout": 30, "close_timeout": 1}
        while not all_here.is_set():
            try:
                async with connect(url, additional_headers=headers, **settings) as socket:
                    async with asyncio.timeout(30):
                        await socket.recv()
                    arrived.append(time.monotonic() - started_at)
                    await all_here.wait()
            except BROKEN as error:
                failed[type(error).__name__] += 1
                await asyncio.sleep(run.choose.uniform(0, 3))

    watchers = [asyncio.create_task(watch(number)) for number in range(size)]
    with suppress(TimeoutError):
        async with asyncio.timeout(RECONNECT_TIMEOUT):
            while len(arrived) < size:
                await asyncio.sleep(0.05)
    all_here.set()
    await asyncio.gather(*watchers)
    outcome.note = f"{len(arrived)} of {size} sockets within {max(arrived, default=0):.1f} s"
    if failed:
        outcome.note += f", some not at once: {dict(failed)}"
    if len(arrived) < size:
        run.breach(f"reconnects at once: {outcome.note}")


KINDS = (
    Kind("web killed", kill_web, 2),
    Kind("web drained", drain_web, 1.5),
    Kind("web hung", hang_web),
    Kind("worker killed", kill_worker),
    Kind("beat killed", kill_beat),
    Kind("two beats", two_beats),
    Kind("broker restarted", restart_broker, 1.5),
    Kind("broker hung", hang_broker),
    Kind("broker flushed", flush_broker, light=True),
    Kind("database restarted", restart_database, 2),
    Kind("disk full", full_disk),
    Kind("clock skewed", skewed_clock),
    Kind("slow network", slow_network, light=True),
    Kind("crumbs of bytes", crumbs, light=True),
    Kind("connections reset", resets, 1.5, light=True),
    Kind("black hole", black_hole, 1.5, light=True),
    *(Kind(f"frames {kind}", frames(kind), 1.5, light=True) for kind in FRAME_FAULTS),
    Kind("reconnects at once", storm, 0.5),
)

UPGRADE = Kind("upgraded", upgrade)


def possible() -> list[Kind]:
    """Return the kinds that work on this machine: a full disk needs util-linux's `prlimit`."""
    return [kind for kind in KINDS if kind.does is not full_disk or shutil.which("prlimit")]
