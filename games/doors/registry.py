"""The open sockets of this process, by their holders, and the one task that looks after all of them.

The rows decide who is logged in: every `EVERY` seconds they are asked. A message to all processes (`notify.doors_shut`)
only makes it quicker; when it is lost, nothing is.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Protocol
from weakref import WeakSet

from channels.layers import get_channel_layer

from accounts import sessions
from accounts.sessions import Visit
from games import notify
from games.database import in_db
from games.doors import codes
from games.loops import of_loop

log = logging.getLogger(__name__)

MOST = 12  # four tables with their talk: sockets of one member, or of one session of a guest, in one process
TICK = 2.0  # seconds between two looks
EVERY = 30.0  # seconds between two questions whether log-ins still hold
AT_ONCE = 100  # log-ins a question: moves wait for the same thread


class Door(Protocol):
    """One socket."""

    visit: Visit
    heard: float  # when its last frame came, monotonic seconds
    busy: bool  # in the middle of a frame
    silence: float  # seconds without a frame after which it is dead
    restless: float  # seconds without a frame after which it is asked for one

    async def shut(self, code: int) -> None: ...

    async def part(self) -> None:
        """Say that the site restarts, and close."""

    async def poke(self) -> None:
        """Say something that a living client answers."""

    async def look(self) -> None:
        """Shut it if its client does not read."""


_every: WeakSet[Doors] = WeakSet()


def open_by_kind() -> Counter[str]:
    """How many sockets of each kind this process has open, like {"match": 2}; asked from any thread."""
    doors = [door for each in list(_every) if not each.loop.is_closed() for door in list(each.open)]
    return Counter(type(door).__name__.removesuffix("Consumer").lower() for door in doors)


def is_closing() -> bool:
    """Whether this process is about to stop; asked from any thread."""
    return any(each.closing and not each.loop.is_closed() for each in list(_every))


class Doors:
    """Those of one event loop: a process has one. The oldest come first."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        _every.add(self)
        self.open: dict[Door, None] = {}
        self.closing = False
        self._crowds: dict[object, dict[Door, None]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._poked: dict[Door, float] = {}

    async def enter(self, door: Door) -> None:
        """A socket opens; if its holder has too many now, his oldest goes."""
        self.open[door] = None
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._look_after()), asyncio.create_task(self._listen())]
        if (holder := door.visit.holder) is None:
            return
        crowd = self._crowds.setdefault(holder, {})
        crowd[door] = None
        while len(crowd) > MOST:
            oldest = next(iter(crowd))
            del crowd[oldest]
            await oldest.shut(codes.TOO_MANY_SOCKETS)

    def leave(self, door: Door) -> None:
        """A socket has closed, by whomever."""
        self.open.pop(door, None)
        self._poked.pop(door, None)
        crowd = self._crowds.get(door.visit.holder, {})
        crowd.pop(door, None)
        if not crowd:
            self._crowds.pop(door.visit.holder, None)
        if not self.open:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    @property
    def busy(self) -> bool:
        return any(door.busy for door in self.open)

    async def part(self) -> None:
        """Bid every socket farewell; one in the middle of a frame goes when that is answered, and new ones at once."""
        self.closing = True
        for door in list(self.open):
            if not door.busy:
                await door.part()

    async def shut(self, *, user_id: int | None = None, session: str | None = None, but: str | None = None) -> None:
        """Shut the sockets of a user or of a session (its mark), `but` those of one session."""
        for door in list(self.open):
            visit = door.visit
            if visit.user_id is None or (but is not None and visit.mark == but):
                continue
            if visit.user_id == user_id or (session is not None and visit.mark == session):
                await door.shut(codes.LOGGED_OUT)

    async def check(self) -> None:
        """Shut the sockets whose log-in no longer holds."""
        asked = list(self.open)
        for first in range(0, len(asked), AT_ONCE):
            some = asked[first : first + AT_ONCE]
            ended = await in_db(sessions.ended, [door.visit for door in some])
            for door in some:
                if door.visit in ended:
                    await door.shut(codes.LOGGED_OUT)

    async def sweep(self, moment: float) -> None:
        """Shut the sockets that are dead at `moment` (monotonic seconds), and ask those that are very quiet."""
        for door in list(self.open):
            quiet = moment - door.heard
            if quiet > door.silence:
                await door.shut(codes.DEAD)
                continue
            await door.look()
            if quiet > door.restless and moment - self._poked.get(door, 0.0) > door.restless:
                self._poked[door] = moment
                await door.poke()

    async def _look_after(self) -> None:
        checked = time.monotonic()
        while True:
            began = time.monotonic()
            await asyncio.sleep(TICK)
            moment = time.monotonic()
            if (late := moment - began - TICK) > TICK:  # it was us who did not listen
                for door in self.open:
                    door.heard += late
            try:
                await self.sweep(moment)
                if moment - checked > EVERY:
                    checked = moment
                    await self.check()
            except Exception as error:  # the database is away: the next look finds the same
                log.warning("sockets were not looked after: %s", error)

    async def _listen(self) -> None:
        """Hear what `notify.doors_shut` says to all processes."""
        layer = get_channel_layer()
        while layer is not None:
            try:
                channel = await layer.new_channel()
                await layer.group_add(notify.DOORS, channel)
                try:
                    while True:
                        await self._heard(await layer.receive(channel))
                finally:
                    await layer.group_discard(notify.DOORS, channel)
            except Exception as error:  # the broker is away: the rows are asked meanwhile
                log.warning("no broker to hear of log-outs: %s", error)
                await asyncio.sleep(TICK)

    async def _heard(self, message: Mapping[str, Any]) -> None:
        await self.shut(user_id=message["user_id"], session=message["session"], but=message["but"])


here = of_loop(Doors)
