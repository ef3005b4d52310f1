"""The queues of sockets: of what a client has sent, and of what its groups have been told."""

from __future__ import annotations

import asyncio
from typing import Any

Message = dict[str, Any]


class MessageQueue:
    """A queue with one reader and no limit. asyncio's takes any number of readers and waits for room: 3 KiB more."""

    __slots__ = ("_arrival", "_newer", "_older")

    def __init__(self) -> None:
        self._newer: list[Message] = []
        self._older: list[Message] = []  # the oldest stands last, so that a long queue is not moved up at each `get`
        self._arrival: asyncio.Future[None] | None = None  # of the next message, while the reader waits

    def __len__(self) -> int:
        return len(self._newer) + len(self._older)

    def put_nowait(self, message: Message) -> None:
        self._newer.append(message)
        if self._arrival is not None and not self._arrival.done():
            self._arrival.set_result(None)

    async def get(self) -> Message:
        """The oldest message, as soon as there is one."""
        while not len(self):
            self._arrival = asyncio.get_running_loop().create_future()
            await self._arrival
        if not self._older:
            self._newer.reverse()
            self._older, self._newer = self._newer, self._older
        return self._older.pop()
