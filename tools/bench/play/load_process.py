"""All players and spectators, in a process of their own that the benchmark starts.

The first line of its input is its job. It prints "seated" when all are connected, waits for a line, does its job and
prints what it measured, each as a line of JSON. Times are in seconds.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from tools.bench.play.clients import Frame, Seat, Unanswered, Viewer
from tools.bench.play.flood import Flooder

PATIENCE = 5.0  # seconds that an event may take to reach the last spectator
AT_ONCE = 50  # sockets that connect at the same time during preparation
SYNCED = 60.0  # seconds until the answer to a page's first question counts as an error


@dataclass
class Figures:
    """What the players measured."""

    ack: list[float] = field(default_factory=list)
    rival: list[float] = field(default_factory=list)
    pong: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)


class Pair:
    """The two players of one match."""

    def __init__(self, number: int, match_id: str, sides: Iterable[tuple[str, str]]) -> None:
        self.seats = [Seat(base, match_id, cookie, seed=number) for base, cookie in sides]
        self.acting: Seat | None = None
        self.before, self.started, self.opponent_reached = 0, 0.0, False
        for seat in self.seats:
            seat.on_frame = lambda frame, moment, seat=seat: self._frame_received(seat, frame, moment)
        self.figures = Figures()

    async def play(self, figures: Figures, *, interval: float, until: float) -> None:
        """Make an action every `interval` seconds, however long the answers take, until the time `until`."""
        self.figures = figures
        for seat in self.seats:
            seat.pongs.clear()
        moment = time.perf_counter() + self.seats[0].choose.random() * interval
        while moment < until:
            await asyncio.sleep(moment - time.perf_counter())
            await self.act()
            moment += interval
        for seat in self.seats:
            figures.pong += seat.pongs

    async def act(self) -> bool:
        """Make one action of the player whose turn it is; whether it was acknowledged."""
        seat = next((seat for seat in self.seats if seat.due), None)
        if seat is None or (action := seat.next_action()) is None:
            return False
        figures = self.figures
        self.acting, self.before, self.opponent_reached = seat, seat.frame["version"], False
        self.started = time.perf_counter()
        try:
            answer, seconds = await seat.act(action)
        except Unanswered as error:
            figures.errors.append(repr(error))
            return False
        if answer["t"] == "ack":
            figures.ack.append(seconds)
            await seat.reach(answer["version"])
            return True
        figures.refused[answer["code"]] = figures.refused.get(answer["code"], 0) + 1
        return False

    def _frame_received(self, seat: Seat, frame: Frame, moment: float) -> None:
        if seat is not self.acting and not self.opponent_reached and frame["version"] > self.before and self.started:
            self.opponent_reached = True
            self.figures.rival.append(moment - self.started)


async def seated(viewers: Iterable[Viewer]) -> None:
    """Connect all, a few at a time, and return when the site has answered whatever they asked at first."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def sit(viewer: Viewer) -> None:
        async with gate:
            await viewer.sit()
            if isinstance(viewer, Seat):
                await asyncio.wait_for(viewer.synced.wait(), SYNCED)

    await asyncio.gather(*(sit(viewer) for viewer in viewers))
    gc.collect()
    gc.freeze()  # the players' own pauses do not count


async def load(job: Any, ready: Callable[[], Awaitable[None]]) -> Any:
    """Play matches for `seconds`."""
    pairs = _pairs(job)
    await seated(seat for pair in pairs for seat in pair.seats)
    await ready()
    figures = Figures()
    until = time.perf_counter() + job["seconds"]
    await asyncio.gather(*(pair.play(figures, interval=job["every"], until=until) for pair in pairs))
    return asdict(figures)


async def fan_out(job: Any, ready: Callable[[], Awaitable[None]]) -> Any:
    """Measure one match with many spectators: for each act, when the last of them received it, and when each did."""
    (pair,) = _pairs(job)
    crowd = [Viewer(base, job["tables"][0][0], cookie) for base, cookie in job["watchers"]]
    moments: list[float] = []
    for viewer in crowd:
        viewer.on_message = lambda text, moment: moments.append(moment) if b'"t":"event"' in text else None
    await seated([*pair.seats, *crowd])
    await ready()
    lasts, each, missed = [], [], 0
    while len(lasts) < job["acts"]:
        moments.clear()
        if not await pair.act():
            await asyncio.sleep(0.2)
            continue
        until = time.perf_counter() + PATIENCE
        while len(moments) < len(crowd) and time.perf_counter() < until:
            await asyncio.sleep(0.05)
        lasts.append(max(moments, default=until) - pair.started)
        each += [moment - pair.started for moment in moments]
        missed += len(crowd) - len(moments)
        await asyncio.sleep(job["every"])
    return {"last": lasts, "each": each, "missed": missed, **asdict(pair.figures)}


async def come_back(job: Any, ready: Callable[[], Awaitable[None]]) -> Any:
    """Connect all; cut connections reconnect at once, or as a page does. `cut` of them are cut from here."""
    pairs = _pairs(job)
    seats = [seat for pair in pairs for seat in pair.seats]
    await seated(seats)
    back: list[float] = []
    tries: list[int] = []
    cuts: list[float] = []
    coming: list[asyncio.Task[None]] = []

    async def reconnect(seat: Seat, code: int) -> None:
        pause = 0.0 if job["cut"] else 3 * seat.choose.random() if code == 4012 else 0.4 + 0.4 * seat.choose.random()
        tries.append(await seat.come_back(pause=pause))
        back.append(time.perf_counter())

    def lost(seat: Seat) -> Callable[[int], None]:
        def line_lost(code: int) -> None:
            cuts.append(time.perf_counter())
            coming.append(asyncio.create_task(reconnect(seat, code)))

        return line_lost

    for seat in seats:
        seat.lost = lost(seat)
    await ready()
    for seat in seats[: job["cut"]]:
        if seat.wire is not None:
            seat.wire.cut()
    expected = job["cut"] or sum(base == job["killed"] for _, *sides in job["tables"] for base, _ in sides)
    async with asyncio.timeout(120):
        while len(back) < expected:
            await asyncio.sleep(0.02)
    for seat in seats:
        seat.lost = lambda code: None
    cut_at = time.time() - time.perf_counter() + min(cuts)
    return {
        "seconds": [moment - min(cuts) for moment in back],
        "tries": tries,
        "cut_at": cut_at,
    }


async def flood(job: Any, ready: Callable[[], Awaitable[None]]) -> Any:
    """Play matches for `seconds` alone, and for as long beside a client that sends a thousand messages a second."""
    pairs = _pairs(job)
    await seated(seat for pair in pairs for seat in pair.seats)
    await ready()
    flooder = Flooder(Viewer(*job["flooder"]), job["message"].encode(), reconnects=job["again"])
    measured = []
    for beside in (None, flooder):
        figures = Figures()
        until = time.perf_counter() + job["seconds"]
        flooding = asyncio.create_task(beside.flood(until)) if beside else None
        await asyncio.gather(*(pair.play(figures, interval=job["every"], until=until) for pair in pairs))
        if flooding is not None:
            await flooding
        measured.append(asdict(figures))
    return {"peace": measured[0], "flood": measured[1], "closed": flooder.closed, "sent": flooder.sent}


JOBS = {"load": load, "fan_out": fan_out, "come_back": come_back, "flood": flood}


def _pairs(job: Any) -> list[Pair]:
    return [Pair(number, match_id, sides) for number, (match_id, *sides) in enumerate(job["tables"])]


async def main() -> None:
    loop = asyncio.get_running_loop()
    job = orjson.loads(await loop.run_in_executor(None, sys.stdin.buffer.readline))

    async def ready() -> None:
        print('{"said": "seated"}', flush=True)
        await loop.run_in_executor(None, sys.stdin.buffer.readline)

    done = await JOBS[job["job"]](job, ready)
    print(orjson.dumps({"said": "done", **done}).decode(), flush=True)
    await loop.run_in_executor(None, sys.stdin.buffer.readline)  # keep running until the costs have been read


if __name__ == "__main__":
    asyncio.run(main())
