"""Group read: what many sockets ask for while a read is under way is read together by the next one.

After the loss of a host, or an outage of the database, all players connect in the same seconds, and all of them need
the same few things. Read one by one, the last of them would wait for seconds. A read that is asked for alone does not
wait, as in the group commit of acts (`games.live.group_commit`). It may also write what follows from who has come.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextvars import Context
from typing import Generic, TypeVar

from games.database import in_db

K = TypeVar("K")
V = TypeVar("V")

MAX_READS = 100
"""In one group: the first of them waits for the last."""


class NotWanted(Exception):
    """Nobody waits for the answer any more: it was not read."""


class GroupRead(Generic[K, V]):
    """The reads of one event loop. `read` answers keys in their order, each with a value or with an error to raise."""

    def __init__(self, read: Callable[[Sequence[K]], Sequence[V | Exception]]) -> None:
        self._read = read
        self._waiting: list[tuple[K, Callable[[], bool], asyncio.Future[V]]] = []
        self._reading: asyncio.Task[None] | None = None

    async def ask(self, key: K, is_wanted: Callable[[], bool] = lambda: True) -> V:
        """Return the answer to a key. Raises what `read` gave or raised, and NotWanted where nobody waits for it."""
        answer: asyncio.Future[V] = asyncio.get_running_loop().create_future()
        self._waiting.append((key, is_wanted, answer))
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_all(), context=Context())  # not in the name of one of them
        return await answer

    async def _read_all(self) -> None:
        try:
            while self._waiting:
                await self._answer(self._next_group())
        finally:
            self._reading = None

    def _next_group(self) -> dict[asyncio.Future[V], K]:
        group: dict[asyncio.Future[V], K] = {}
        while self._waiting and len(group) < MAX_READS:
            key, is_wanted, answer = self._waiting.pop(0)
            if answer.done():  # its asker was cancelled
                continue
            if is_wanted():
                group[answer] = key
            else:
                answer.set_exception(NotWanted())
        return group

    async def _answer(self, group: dict[asyncio.Future[V], K]) -> None:
        found: Sequence[V | Exception]
        try:
            found = await in_db(self._read, [*group.values()]) if group else []
        except Exception as error:
            found = [error] * len(group)
        for answer, value in zip(group, found, strict=True):
            if answer.done():
                continue
            if isinstance(value, Exception):
                answer.set_exception(value)
            else:
                answer.set_result(value)
