"""The open sockets of this process, by their holders, and the one task that closes ended and dead ones.

The rows decide who is signed in: they are read every `SESSION_CHECK_SECONDS` seconds. A message to all processes
(`notify.disconnect_sockets`) only makes it quicker; when it is lost, nothing is.
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

from accounts.auth import session_validity
from accounts.auth.session_validity import SessionSnapshot
from games import notify
from games.connections import close_codes
from games.database import in_db
from games.event_loop import per_event_loop

log = logging.getLogger(__name__)

MAX_SOCKETS = 12  # four matches with their chats: sockets of one member, or of one session of a guest, in one process
SWEEP_SECONDS = 2.0  # between two sweeps
SESSION_CHECK_SECONDS = 30.0  # between two checks whether sessions are still valid
SESSIONS_PER_QUERY = 100  # moves wait for the same thread


class Socket(Protocol):
    """One open connection."""

    kind: str  # what `/metrics` calls it
    visit: SessionSnapshot
    last_frame_at: float  # monotonic seconds
    busy: bool  # in the middle of a frame
    dead_after: float  # seconds without a frame after which it is dead
    ask_after: float  # seconds without a frame after which it is asked for one

    async def close(self, code: int, /) -> None: ...

    async def close_for_restart(self) -> None:
        """Send that the site restarts, and close."""

    async def ask_heartbeat(self) -> None:
        """Send something that a living client answers."""

    async def close_if_stalled(self) -> None:
        """Close if the client does not read."""


_registries: WeakSet[SocketRegistry] = WeakSet()


def open_by_kind() -> Counter[str]:
    """How many sockets of each kind this process has open, like {"match": 2}; called from any thread."""
    live = [each for each in list(_registries) if not each.loop.is_closed()]
    return Counter(socket.kind for each in live for socket in list(each.open))


def is_closing() -> bool:
    """Whether this process is about to stop; called from any thread."""
    return any(each.closing and not each.loop.is_closed() for each in list(_registries))


class SocketRegistry:
    """The sockets of one event loop: a process has one. The oldest come first."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        _registries.add(self)
        self.open: dict[Socket, None] = {}
        self.closing = False
        self._by_holder: dict[object, dict[Socket, None]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._asked_at: dict[Socket, float] = {}

    async def add(self, socket: Socket) -> None:
        """Add a socket; if its holder has too many now, their oldest is closed."""
        self.open[socket] = None
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._keep_sweeping()), asyncio.create_task(self._listen())]
        if (holder := socket.visit.holder) is None:
            return
        held = self._by_holder.setdefault(holder, {})
        held[socket] = None
        while len(held) > MAX_SOCKETS:
            oldest = next(iter(held))
            del held[oldest]
            await oldest.close(close_codes.TOO_MANY_SOCKETS)

    def remove(self, socket: Socket) -> None:
        """Remove a socket that has closed, from either side."""
        self.open.pop(socket, None)
        self._asked_at.pop(socket, None)
        held = self._by_holder.get(socket.visit.holder, {})
        held.pop(socket, None)
        if not held:
            self._by_holder.pop(socket.visit.holder, None)
        if not self.open:
            for task in self._tasks:
                task.cancel()
            self._tasks = []

    async def close_for_restart(self) -> None:
        """Close every socket; one in the middle of a frame when that is answered, and new ones at once."""
        self.closing = True
        for socket in list(self.open):
            if not socket.busy:
                await socket.close_for_restart()

    async def close_sessions(
        self, *, user_id: int | None = None, session: str | None = None, but: str | None = None
    ) -> None:
        """Close the sockets of a user or of a session (its mark), `but` those of one session."""
        for socket in list(self.open):
            visit = socket.visit
            if visit.user_id is None or (but is not None and visit.mark == but):
                continue
            if visit.user_id == user_id or (session is not None and visit.mark == session):
                await socket.close(close_codes.SIGNED_OUT)

    async def check_sessions(self) -> None:
        """Close the sockets whose session is no longer valid."""
        sockets = list(self.open)
        for first in range(0, len(sockets), SESSIONS_PER_QUERY):
            batch = sockets[first : first + SESSIONS_PER_QUERY]
            ended = await in_db(session_validity.ended_sessions, [socket.visit for socket in batch])
            for socket in batch:
                if socket.visit in ended:
                    await socket.close(close_codes.SIGNED_OUT)

    async def sweep(self, moment: float) -> None:
        """Close the sockets that are dead at `moment` (monotonic seconds), and ask those that are very quiet."""
        for socket in list(self.open):
            quiet = moment - socket.last_frame_at
            if quiet > socket.dead_after:
                await socket.close(close_codes.UNRESPONSIVE)
                continue
            await socket.close_if_stalled()
            if quiet > socket.ask_after and moment - self._asked_at.get(socket, 0.0) > socket.ask_after:
                self._asked_at[socket] = moment
                await socket.ask_heartbeat()

    async def _keep_sweeping(self) -> None:
        checked_at = time.monotonic()
        while True:
            began = time.monotonic()
            await asyncio.sleep(SWEEP_SECONDS)
            moment = time.monotonic()
            if (late := moment - began - SWEEP_SECONDS) > SWEEP_SECONDS:  # this process did not listen
                for socket in self.open:
                    socket.last_frame_at += late
            try:
                await self.sweep(moment)
                if moment - checked_at > SESSION_CHECK_SECONDS:
                    checked_at = moment
                    await self.check_sessions()
            except Exception as error:  # the database is away: the next sweep finds the same
                log.warning("sockets were not swept: %s", error)

    async def _listen(self) -> None:
        """Receive the messages of `notify.disconnect_sockets` to all processes."""
        layer = get_channel_layer()
        while layer is not None:
            try:
                channel = await layer.new_channel()
                await layer.group_add(notify.SOCKETS, channel)
                try:
                    while True:
                        await self._handle(await layer.receive(channel))
                finally:
                    await layer.group_discard(notify.SOCKETS, channel)
            except Exception as error:  # the rows are read meanwhile, as while the broker is away
                log.warning("sign-outs of other processes are not received: %s", error)
                await asyncio.sleep(SWEEP_SECONDS)

    async def _handle(self, message: Mapping[str, Any]) -> None:
        await self.close_sessions(user_id=message["user_id"], session=message["session"], but=message["but"])


current_registry = per_event_loop(SocketRegistry)
