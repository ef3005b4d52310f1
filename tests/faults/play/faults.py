"""What is done to a club while it plays. Each fault says whom it strikes, does its damage, and puts the house in order.

A fault strikes tables, not sockets: what is measured is when they act again.
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
from typing import TYPE_CHECKING, Any

import redis
from websockets.asyncio.client import connect

from tests.faults.play.bot import BROKEN
from tests.faults.play.house import WEBS
from tests.faults.play.post import MISCHIEF
from tests.services.environment import ROOT

if TYPE_CHECKING:
    from tests.faults.play.night import Night, Table

SKEWED = str(ROOT / "tests" / "faults" / "skewed")
HOUR = 3600
SOCKETS_EACH = 8  # that one member may have
PATIENCE_OF_CROWD = 120.0  # seconds until the last of them has a state


@dataclass
class Injury:
    """One fault that happened: when, whom it struck, and how long it took them to act again (seconds)."""

    kind: str
    at: float = 0.0
    touched: list[Table] = field(default_factory=list)
    first: float | None = None
    all: float | None = None
    note: str = ""

    def strike(self, tables: Sequence[Table]) -> None:
        self.at = time.monotonic()
        self.touched = [table for table in tables if not table.over and not table.asleep]


Does = Callable[["Night", Injury], Awaitable[None]]


@dataclass(frozen=True)
class Kind:
    """`weight` is how often it is chosen; a `light` one leaves every process alone, and can come beside another."""

    name: str
    does: Does
    weight: float = 1.0
    light: bool = False


# Processes


async def kill_web(night: Night, injury: Injury) -> None:
    number = night.choose.randrange(len(WEBS))
    night.house.kill(WEBS[number])
    injury.strike(night.at_door(number))
    await asyncio.sleep(night.choose.uniform(0, 2))
    await asyncio.to_thread(night.house.start, WEBS[number])


async def drain_web(night: Night, injury: Injury) -> None:
    """SIGTERM: what was acknowledged is kept, and the process ends by itself."""
    number = night.choose.randrange(len(WEBS))
    injury.strike(night.at_door(number))
    try:
        await asyncio.to_thread(night.house.drain, WEBS[number])
    except subprocess.TimeoutExpired:
        night.breach(f"{WEBS[number]} did not end within 30 s of SIGTERM")
        night.house.kill(WEBS[number])
    await asyncio.to_thread(night.house.start, WEBS[number])


async def hang_web(night: Night, injury: Injury) -> None:
    """It stands still for longer than a player waits, with all its connections, and then goes on."""
    number = night.choose.randrange(len(WEBS))
    injury.strike(night.at_door(number))
    await _hang(night, WEBS[number], 9)


async def kill_worker(night: Night, injury: Injury) -> None:
    await _kill(night, injury, "clocks", 1.5)


async def kill_beat(night: Night, injury: Injury) -> None:
    await _kill(night, injury, "beat", 1.5)


async def two_beats(night: Night, injury: Injury) -> None:
    """A second beat sends every task twice."""
    await asyncio.to_thread(night.house.start, "beat2")
    injury.strike(night.live)
    await asyncio.sleep(5)
    night.house.kill("beat2")


async def restart_broker(night: Night, injury: Injury) -> None:
    await _kill(night, injury, "broker", 1.0)


async def hang_broker(night: Night, injury: Injury) -> None:
    injury.strike(night.live)
    await _hang(night, "broker", 3)


async def flush_broker(night: Night, injury: Injury) -> None:
    def flush() -> None:
        with redis.Redis.from_url(night.house.broker.url) as client:
            client.flushall()

    injury.strike(night.live)
    await asyncio.to_thread(flush)


async def restart_database(night: Night, injury: Injury) -> None:
    injury.strike(night.live)
    await asyncio.to_thread(night.house.database.crash)
    await asyncio.sleep(night.choose.uniform(0, 1))
    await asyncio.to_thread(night.house.database.start)


async def full_disk(night: Night, injury: Injury) -> None:
    """No room for a new page until some inserts have failed."""
    before = night.house.refusals_of_disk()
    injury.strike(night.live)
    await asyncio.to_thread(night.house.fill_disk)
    try:
        for _ in range(200):
            await asyncio.sleep(0.1)
            if night.house.refusals_of_disk() > before:
                break
        await asyncio.sleep(1.5)
    finally:
        await asyncio.to_thread(night.house.free_disk)
    injury.note = f"{night.house.refusals_of_disk() - before} writes failed"
    if night.house.refusals_of_disk() == before:
        night.breach("the disk was never full: this fault does nothing")


async def skewed_clock(night: Night, injury: Injury) -> None:
    """A process lives an hour ahead or behind for some seconds."""
    name = night.choose.choice([*WEBS, "clocks", "beat"])
    skew = night.choose.choice([HOUR, -HOUR])
    night.house.kill(name)
    injury.strike(night.at_door(WEBS.index(name)) if name in WEBS else night.live)
    injury.note = f"{name} {skew:+} s"
    await asyncio.to_thread(night.house.start, name, PYTHONPATH=SKEWED, CLOCK_SKEW=str(skew))
    await asyncio.sleep(8)
    night.house.kill(name)
    await asyncio.to_thread(night.house.start, name)


async def _kill(night: Night, injury: Injury, name: str, away: float) -> None:
    night.house.kill(name)
    injury.strike(night.live)
    await asyncio.sleep(night.choose.uniform(0, away))
    await asyncio.to_thread(night.house.start, name)


async def _hang(night: Night, name: str, seconds: float) -> None:
    night.house.freeze(name)
    await asyncio.sleep(seconds)
    night.house.thaw(name)


# Connections


async def slow_network(night: Night, injury: Injury) -> None:
    night.house.weather.delay = night.choose.uniform(0.1, 0.6)
    injury.strike(night.live)
    await asyncio.sleep(4)
    night.house.weather.delay = 0.0


async def crumbs(night: Night, injury: Injury) -> None:
    """The stream of bytes comes in pieces of a few bytes."""
    night.house.weather.crumb = night.choose.randint(1, 7)
    injury.strike(night.live)
    await asyncio.sleep(4)
    night.house.weather.crumb = 0


async def resets(night: Night, injury: Injury) -> None:
    injury.strike(night.live)
    for entrance in night.house.entrances:
        for pipe in entrance.some(0.5):
            pipe.reset()


async def black_hole(night: Night, injury: Injury) -> None:
    """Half of the connections stay open, and nothing comes through them any more."""
    injury.strike(night.live)
    for entrance in night.house.entrances:
        for pipe in entrance.some(0.5):
            pipe.hole = True


def frames(mischief: str) -> Does:
    async def does(night: Night, injury: Injury) -> None:
        chosen = [table for table in night.live if night.choose.random() < 0.5] or night.live
        injury.strike(chosen)
        bots = [bot for table in chosen for bot in table.bots]
        before = sum(bot.post.count for bot in bots)
        for bot in bots:
            bot.post.mischief = mischief
        await asyncio.sleep(3)
        for bot in bots:
            bot.post.mischief = None
        injury.note = f"{sum(bot.post.count for bot in bots) - before} frames"

    return does


async def storm(night: Night, injury: Injury) -> None:
    """A crowd comes back at once, each with a socket of his own, to watch. Who is not let in tries again."""
    injury.strike(night.live)
    begun, watched = time.monotonic(), [table.match_id for table in night.live]
    size = len(night.crowd) * SOCKETS_EACH
    arrived, all_here, failed = list[float](), asyncio.Event(), Counter[str]()

    async def come(number: int) -> None:
        door = night.house.doors[number % len(night.house.doors)]
        url = f"{door.replace('http', 'ws', 1)}/ws/match/{watched[number % len(watched)]}/"
        headers = {"Cookie": night.crowd[number // SOCKETS_EACH], "Origin": door}
        settings: dict[str, Any] = {"compression": None, "proxy": None, "open_timeout": 30, "close_timeout": 1}
        while not all_here.is_set():
            try:
                async with connect(url, additional_headers=headers, **settings) as socket:
                    async with asyncio.timeout(30):
                        await socket.recv()
                    arrived.append(time.monotonic() - begun)
                    await all_here.wait()
            except BROKEN as error:
                failed[type(error).__name__] += 1
                await asyncio.sleep(night.choose.uniform(0, 3))

    coming = [asyncio.create_task(come(number)) for number in range(size)]
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE_OF_CROWD):
            while len(arrived) < size:
                await asyncio.sleep(0.05)
    all_here.set()
    await asyncio.gather(*coming)
    injury.note = f"{len(arrived)} of {size} sockets within {max(arrived, default=0):.1f} s"
    if failed:
        injury.note += f", some not at once: {dict(failed)}"
    if len(arrived) < size:
        night.breach(f"reconnects at once: {injury.note}")


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
    *(Kind(f"frames {mischief}", frames(mischief), 1.5, light=True) for mischief in MISCHIEF),
    Kind("reconnects at once", storm, 0.5),
)


def possible() -> list[Kind]:
    """The kinds that this machine can do: a full disk needs util-linux's `prlimit`."""
    return [kind for kind in KINDS if kind.does is not full_disk or shutil.which("prlimit")]
