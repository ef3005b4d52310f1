"""Heartbeats of the sockets, answered from memory: a statement a second reads what they are about.

A thousand sockets send 250 a second. What a heartbeat says may be a second old: it heals what was lost on the way, and
the socket knows the version that it has sent itself. While the database moves to another host, the last answer is given
for some seconds more: a line that stays is better than one more player who connects again.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from games.database import in_db
from games.errors import NotFound
from games.event_loop import per_event_loop
from games.selectors.heartbeats import MatchHeartbeat, Viewing, match_heartbeats

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.05
"""For which a first heartbeat waits for others; a round trip is measured from its answer on."""
READ_SECONDS = 1.0  # from one statement to the next
FRESH_SECONDS = 2.0  # for which an answer may be given
REMEMBERED_SECONDS = 12.0  # the same while the database does not answer
ASKED_SECONDS = 10.0  # after which a viewer who asks no more is forgotten; clients ask every 4 s
MAX_HEARTBEATS = 200  # in one statement


class HeartbeatBatch:
    """The heartbeats of one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting: list[tuple[Viewing, asyncio.Future[MatchHeartbeat]]] = []
        self._asking: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._asked_at: dict[Viewing, float] = {}
        self._answers: dict[Viewing, tuple[float, MatchHeartbeat]] = {}
        self._unread_since: float | None = None  # when the first statement began that the database has not answered

    @property
    def is_reading(self) -> bool:
        """Whether it reads for viewers who asked in the last seconds."""
        return self._reading is not None

    def known(self, match_id: str, user_id: int | None) -> MatchHeartbeat | None:
        """The heartbeat of a match for one viewer as it was read a moment ago; None where it has to be asked for."""
        viewing, moment = (match_id, user_id), self._clock()
        self._asked_at[viewing] = moment
        read_at, heartbeat = self._answers.get(viewing, (0.0, None))
        waits = self._unread_since is not None and moment - self._unread_since > READ_SECONDS
        return heartbeat if moment - read_at < (REMEMBERED_SECONDS if waits else FRESH_SECONDS) else None

    async def ask(self, match_id: str, user_id: int | None) -> MatchHeartbeat:
        """The heartbeat of a match for one viewer. Raises NotFound, and what the database raises."""
        if (heartbeat := self.known(match_id, user_id)) is not None:
            return heartbeat
        viewing = (match_id, user_id)
        answer: asyncio.Future[MatchHeartbeat] = asyncio.get_running_loop().create_future()
        self._waiting.append((viewing, answer))
        if self._asking is None:
            self._asking = asyncio.create_task(self._answer_all())
        return await answer

    async def _answer_all(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(GATHER_SECONDS)
                batch, self._waiting = self._waiting[:MAX_HEARTBEATS], self._waiting[MAX_HEARTBEATS:]
                await self._answer(batch)
        finally:
            self._asking = None
        if self._reading is None:
            self._reading = asyncio.create_task(self._keep_reading())

    async def _answer(self, batch: list[tuple[Viewing, asyncio.Future[MatchHeartbeat]]]) -> None:
        try:
            heartbeats = await self._read([viewing for viewing, _ in batch])
        except Exception as error:
            for _, answer in batch:
                if not answer.done():
                    answer.set_exception(error)
            return
        for (_, answer), heartbeat in zip(batch, heartbeats, strict=True):
            if answer.done():
                continue  # its socket is closed
            if heartbeat is None:
                answer.set_exception(NotFound())
            else:
                answer.set_result(heartbeat)

    async def _read(self, viewings: list[Viewing]) -> list[MatchHeartbeat | None]:
        moment = self._clock()
        if self._unread_since is None:
            self._unread_since = moment
        heartbeats = await in_db(match_heartbeats, viewings)
        self._unread_since = None
        for viewing, heartbeat in zip(viewings, heartbeats, strict=True):
            if heartbeat is None:
                self._answers.pop(viewing, None)
            else:
                self._answers[viewing] = moment, heartbeat
        return heartbeats

    async def _keep_reading(self) -> None:
        """Read every second what the viewers of the last seconds ask for; with nobody left it ends."""
        try:
            while self._asked_at:
                await asyncio.sleep(READ_SECONDS)
                since = self._clock() - ASKED_SECONDS
                self._asked_at = {viewing: at for viewing, at in self._asked_at.items() if at > since}
                self._answers = {viewing: each for viewing, each in self._answers.items() if viewing in self._asked_at}
                viewings = list(self._asked_at)
                try:
                    for first in range(0, len(viewings), MAX_HEARTBEATS):
                        await self._read(viewings[first : first + MAX_HEARTBEATS])
                except Exception as error:  # the database is away: the next second asks it again
                    log.warning("heartbeats were not read: %s", error)
        finally:
            self._reading = None


current_batch = per_event_loop(HeartbeatBatch)
