"""Batching of heartbeats in a web process: those that come within a moment are one query.

A thousand sockets send 250 a second, and the way to the database's thread and back costs more than the query.
"""

from __future__ import annotations

import asyncio

from games.database import in_db
from games.errors import NotFound
from games.event_loop import per_event_loop
from games.selectors.heartbeats import MatchHeartbeat, Viewing, match_heartbeats

GATHER_SECONDS = (
    0.05  # seconds; the way of a frame there and back is measured from the answer on (games.lag_compensation)
)
MAX_HEARTBEATS = 200  # in one statement


class HeartbeatBatch:
    """The heartbeats of one event loop."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Viewing, asyncio.Future[MatchHeartbeat]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, match_id: str, user_id: int | None) -> MatchHeartbeat:
        """The heartbeat of a match for one viewer. Raises NotFound, and what the database raises."""
        answer: asyncio.Future[MatchHeartbeat] = asyncio.get_running_loop().create_future()
        self._waiting.append(((match_id, user_id), answer))
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

    async def _answer(self, batch: list[tuple[Viewing, asyncio.Future[MatchHeartbeat]]]) -> None:
        try:
            heartbeats = await in_db(match_heartbeats, [viewing for viewing, _ in batch])
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


current_batch = per_event_loop(HeartbeatBatch)
