"""Apps with an open stream, by WebSocket or server-sent events: one look at the log for all streams of a process.

A stream stays open while its token is valid, its owner's account is open, and no restart is near; it reads the log page
by page, so that an interrupted one goes on from its last number.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass

from accounts.auth.session_validity import SessionSnapshot
from accounts.models import User
from accounts.programs.credentials import Credential, valid_credential_keys
from eventlog import services
from eventlog.selectors.events import SerializedEvent, events_after, last_number, topics_between
from games.database import in_db
from games.event_loop import per_event_loop

log = logging.getLogger(__name__)

TICK = 1.0  # seconds between two reads of the log
CHECK = 10.0  # seconds between two questions whether the tokens still open something
BEAT = 15.0  # seconds of silence after which a comment keeps the stream alive
EXTEND_EVERY = 1800.0  # seconds after which its subscriptions are extended
PAGE = 100


@dataclass(frozen=True)
class ProgramVisit(SessionSnapshot):
    """The connection of an app: counted apart from its owner's browsers, all of the owner's apps together."""

    @property
    def holder(self) -> tuple[str, int | str] | None:
        return ("program", self.user_id) if self.user_id is not None else None


class StreamReader:
    """One stream: its credential, its topics, and the number from which it reads."""

    def __init__(
        self, grant: Credential, *, topics: Collection[str], kinds: Collection[str] = (), after: int | None = None
    ) -> None:
        self.user_id, self.key = grant.user.pk, grant.key
        self.topics, self.kinds = frozenset(topics), tuple(kinds)
        self.after = after
        self.wake = asyncio.Event()
        self.over = False
        self._extended_at = time.monotonic()

    def end(self) -> None:
        """Bring no more."""
        self.over = True
        self.wake.set()

    async def pages(self) -> AsyncGenerator[list[SerializedEvent], None]:
        """What comes, some events at a time; nothing for a beat. Ends when the line does."""
        streams = here()
        streams.enter(self)
        try:
            while not self.over:
                self.wake.clear()
                events, full = await self._read()
                if events:
                    yield events
                if full or self.over:
                    continue
                try:
                    await asyncio.wait_for(self.wake.wait(), BEAT)
                except TimeoutError:
                    yield []
        finally:
            streams.leave(self)

    async def _read(self) -> tuple[list[SerializedEvent], bool]:
        extend = time.monotonic() - self._extended_at > EXTEND_EVERY
        if extend:
            self._extended_at = time.monotonic()
        found = await in_db(read, self.user_id, self.topics, self.kinds, self.after, extend=extend)
        if found is None:
            self.end()
            return [], False
        events, self.after = found
        return events, len(events) == PAGE


def read(
    user_id: int, topics: Collection[str], kinds: Collection[str], after: int | None, *, extend: bool = False
) -> tuple[list[SerializedEvent], int] | None:
    """Read a page of a stream's events; None for an account that is closed."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None:
        return None
    if extend:
        services.subscribe(user=user, topics=topics)
    if after is None:
        return [], last_number()
    return events_after(user, topics, after=after, kinds=kinds, most=PAGE)


class Streams:
    """The streams of one event loop, and the one task that reads the log for them."""

    def __init__(self) -> None:
        self.open: set[StreamReader] = set()
        self._seen: int | None = None
        self._task: asyncio.Task[None] | None = None

    def enter(self, line: StreamReader) -> None:
        self.open.add(line)
        if self._task is None or self._task.done():
            self._seen = None
            self._task = asyncio.create_task(self._poll_forever())

    def leave(self, line: StreamReader) -> None:
        self.open.discard(line)
        if not self.open and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _poll_forever(self) -> None:
        checked = time.monotonic()
        while True:
            try:
                await self.poll()
                if time.monotonic() - checked > CHECK:
                    checked = time.monotonic()
                    await self.check()
            except Exception as error:  # the database is away: the next read finds the same
                log.warning("streams did not look: %s", error)
            await asyncio.sleep(TICK)

    async def poll(self) -> None:
        """Wake the streams with new events; all of them at the first read, because they may have missed some."""
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
        good = await in_db(valid_credential_keys, {line.key for line in lines})
        for line in lines:
            if line.key not in good:
                line.end()


here = per_event_loop(Streams)
