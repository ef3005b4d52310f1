"""The heartbeats of a web process: those that come within a moment are asked of the database together.

A thousand sockets beat 250 times a second, and the way to the database's thread and back costs more than the question.
"""

from __future__ import annotations

import asyncio

from games.database import in_db
from games.errors import NotFound
from games.loops import of_loop
from games.selectors.presence import Asked, Pulse, match_pulses

GATHER = 0.05  # seconds; the way of a frame there and back is measured from the answer on (games.lag)
MOST = 200  # heartbeats in one statement


class Pulses:
    """Those of one event loop."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Asked, asyncio.Future[Pulse]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, match_id: str, user_id: int | None) -> Pulse:
        """The pulse of a match for one viewer. Raises NotFound, and what the database raises."""
        answer: asyncio.Future[Pulse] = asyncio.get_running_loop().create_future()
        self._waiting.append(((match_id, user_id), answer))
        if self._asking is None:
            self._asking = asyncio.create_task(self._answer_all())
        return await answer

    async def _answer_all(self) -> None:
        try:
            while self._waiting:
                await asyncio.sleep(GATHER)
                some, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                await self._answer(some)
        finally:
            self._asking = None

    async def _answer(self, some: list[tuple[Asked, asyncio.Future[Pulse]]]) -> None:
        try:
            pulses = await in_db(match_pulses, [asked for asked, _ in some])
        except Exception as error:
            for _, answer in some:
                if not answer.done():
                    answer.set_exception(error)
            return
        for (_, answer), pulse in zip(some, pulses, strict=True):
            if answer.done():
                continue  # its socket is gone
            if pulse is None:
                answer.set_exception(NotFound())
            else:
                answer.set_result(pulse)


here = of_loop(Pulses)
