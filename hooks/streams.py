"""Programs that listen on an open line, by WebSocket or server-sent events: one look at the log for all of a process.

A line stays open as long as its token is good, its owner's account is open, and no restart is near; what it brings is
read from the log page by page, so that one which was cut goes on from its last number.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass

from accounts.models import User
from accounts.programs import Grant, still_good
from accounts.sessions import Visit
from games.database import in_db
from games.loops import of_loop
from hooks import services
from hooks.selectors.events import Told, events_after, last_number, topics_between

log = logging.getLogger(__name__)

TICK = 1.0  # seconds between two looks at the log
CHECK = 10.0  # seconds between two questions whether the tokens still open something
BEAT = 15.0  # seconds of silence after which a line says that it is alive
LISTEN_AGAIN = 1800.0  # seconds after which its ears are kept open for longer
PAGE = 100


@dataclass(frozen=True)
class ProgramVisit(Visit):
    """The visit of a program: counted apart from the browsers of its owner, all his programs together."""

    @property
    def holder(self) -> tuple[str, int | str] | None:
        return ("program", self.user_id) if self.user_id is not None else None


class Listening:
    """One line: who listens with which token, to what, and from which number on."""

    def __init__(
        self, grant: Grant, *, topics: Collection[str], kinds: Collection[str] = (), after: int | None = None
    ) -> None:
        self.user_id, self.key = grant.user.pk, grant.key
        self.topics, self.kinds = frozenset(topics), tuple(kinds)
        self.after = after
        self.wake = asyncio.Event()
        self.over = False
        self._listened = time.monotonic()

    def end(self) -> None:
        """Bring no more."""
        self.over = True
        self.wake.set()

    async def pages(self) -> AsyncGenerator[list[Told], None]:
        """What comes, some events at a time; nothing for a beat. Ends when the line does."""
        streams = here()
        streams.enter(self)
        try:
            while not self.over:
                self.wake.clear()
                told, full = await self._read()
                if told:
                    yield told
                if full or self.over:
                    continue
                try:
                    await asyncio.wait_for(self.wake.wait(), BEAT)
                except TimeoutError:
                    yield []
        finally:
            streams.leave(self)

    async def _read(self) -> tuple[list[Told], bool]:
        again = time.monotonic() - self._listened > LISTEN_AGAIN
        if again:
            self._listened = time.monotonic()
        found = await in_db(read, self.user_id, self.topics, self.kinds, self.after, again=again)
        if found is None:
            self.end()
            return [], False
        told, self.after = found
        return told, len(told) == PAGE


def read(
    user_id: int, topics: Collection[str], kinds: Collection[str], after: int | None, *, again: bool = False
) -> tuple[list[Told], int] | None:
    """A page of what somebody hears; None for an account that is closed."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        return None
    if again:
        services.listen(user=user, topics=topics)
    if after is None:
        return [], last_number()
    return events_after(user, topics, after=after, kinds=kinds, most=PAGE)


class Streams:
    """The lines of one event loop, and the one task that looks for them."""

    def __init__(self) -> None:
        self.open: set[Listening] = set()
        self._seen: int | None = None
        self._task: asyncio.Task[None] | None = None

    def enter(self, line: Listening) -> None:
        self.open.add(line)
        if self._task is None or self._task.done():
            self._seen = None
            self._task = asyncio.create_task(self._look_on())

    def leave(self, line: Listening) -> None:
        self.open.discard(line)
        if not self.open and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _look_on(self) -> None:
        checked = time.monotonic()
        while True:
            try:
                await self.look()
                if time.monotonic() - checked > CHECK:
                    checked = time.monotonic()
                    await self.check()
            except Exception as error:  # the database is away: the next look finds the same
                log.warning("streams did not look: %s", error)
            await asyncio.sleep(TICK)

    async def look(self) -> None:
        """Wake the lines that hear something new; all of them at the first look, for they may have missed it."""
        last = await in_db(last_number)
        before, self._seen = self._seen, last
        if before is None:
            woken = list(self.open)
        elif last > before:
            topics = await in_db(topics_between, before, last)
            woken = [line for line in self.open if line.topics & topics]
        else:
            woken = []
        for line in woken:
            line.wake.set()

    async def check(self) -> None:
        """End the lines whose token opens nothing any more: revoked, over, or its owner's account is closed."""
        lines = list(self.open)
        good = await in_db(still_good, {line.key for line in lines})
        for line in lines:
            if line.key not in good:
                line.end()


here = of_loop(Streams)
