"""The event socket: an app authenticates, subscribes from a number on, and receives events."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import Any

from accounts.errors import Refused
from accounts.models import User
from accounts.programs.credentials import Credential, credential_from_header
from accounts.programs.scopes import HOOKS
from accounts.web import api_rates
from eventlog import services
from eventlog.selectors.events import first_number, last_number
from eventlog.streams import ProgramVisit, StreamReader
from games.connections import close_codes, registry
from games.connections.transport import buffers_of
from games.consumers.base import CLOSE_TOO_LARGE, CLOSE_TOO_MANY, PlayConsumer, language_of
from games.database import in_db
from games.engine import Json
from games.errors import Refused as BadFrame
from games.frames import decode, id_of

ANONYMOUS = 10.0  # seconds until an app must have authenticated
NUMBER = 2**53


class EventsConsumer(PlayConsumer):
    """One program. Its token comes in the header or in the first frame; any frame of it is a heartbeat."""

    kind = "events"
    dead_after = ANONYMOUS  # until it has authenticated
    grant: Credential | None = None
    listening: StreamReader | None = None
    pump: asyncio.Task[None] | None = None

    async def websocket_connect(self, message: Json) -> None:
        self.buffers = buffers_of(self.scope)
        self.language = language_of(self.scope)
        self.last_frame_at = time.monotonic()
        await self.accept()  # only an accepted socket gets a close code
        if registry.current_registry().closing:
            return
        await registry.current_registry().add(self)
        headers = dict(self.scope.get("headers", []))
        if header := headers.get(b"authorization", b"").decode("latin-1"):
            await self.authenticate(header)

    async def authenticate(self, header: str) -> None:
        """Admit a token with the scope for events, or close the socket."""
        grant = await in_db(credential_from_header, header)
        spent = await in_db(api_rates.count_request, api_rates.READ, grant.key) if grant is not None else None
        if grant is None or HOOKS not in grant.scopes or (spent is not None and spent.over):
            await self.close(close_codes.SIGNED_OUT if spent is None or not spent.over else close_codes.TOO_MANY_FRAMES)
            return
        registry.current_registry().remove(self)  # and counts anew under its owner
        self.grant, self.visit = grant, ProgramVisit(user_id=grant.user.pk)
        self.dead_after = PlayConsumer.dead_after
        await registry.current_registry().add(self)
        await self.send_frame({"t": "hello", "last": await in_db(last_number)})

    async def disconnect(self, code: int) -> None:
        if self.pump is not None:
            self.pump.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Read one frame. An invalid frame is refused and changes nothing."""
        frame_id: str | None = None
        try:
            if not self.has_credit():
                await self.close(CLOSE_TOO_MANY)
                return
            frame = decode(text_data)
            frame_id = id_of(frame)
            if frame.get("t") == "auth" and self.grant is None:
                token = frame.get("token")
                await self.authenticate(f"Bearer {token}" if isinstance(token, str) else "")
            elif self.grant is None:
                await self.close(close_codes.SIGNED_OUT)
            elif frame.get("t") == "listen":
                await self.listen(self.grant, frame)
            elif frame.get("t") == "ping":
                await self.send_frame({"t": "pong"})
            else:
                raise BadFrame("unknown_command")
        except Refused as refusal:
            await self.send_refusal(refusal, frame_id)
            if refusal.code == "too_large":
                await self.close(CLOSE_TOO_LARGE)

    async def listen(self, grant: Credential, frame: Json) -> None:
        """Subscribe to subjects and kinds from a number on (from now on without one), replacing what was subscribed."""
        subjects, kinds, after = frame.get("subjects", []), frame.get("kinds", []), frame.get("after")
        if not (_texts(subjects) and _texts(kinds) and _number(after)):
            raise BadFrame("bad_frame")
        topics, named, first, last = await in_db(begin, grant.user, subjects, kinds)
        if self.pump is not None:
            self.pump.cancel()
        self.listening = StreamReader(
            grant, topics=topics, kinds=named, after=last if after is None else min(after, last)
        )
        expired = after is not None and after + 1 < first
        reply = {"t": "listening", "after": self.listening.after, "first": first, "gone": expired}
        await self.send_frame({**reply, "id": id_of(frame)})
        self.pump = asyncio.create_task(self._send_events(self.listening))

    async def _send_events(self, listening: StreamReader) -> None:
        async with aclosing(listening.pages()) as pages:
            async for page in pages:
                for event in page:
                    await self.send_frame({"t": "event", **event})
                if self.closed:
                    return
        await self.close(close_codes.SIGNED_OUT)


def begin(user: User, subjects: list[str], kinds: list[str]) -> tuple[tuple[str, ...], tuple[str, ...], int, int]:
    """Renew a user's subscriptions; return topics, kinds, and the log's first and last number. Raises Refused."""
    topics, named = services.topics_of(user, subjects=subjects), services.kinds_of(kinds)
    services.subscribe(user=user, topics=topics)
    return topics, named, first_number(), last_number()


def _texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 100 and all(isinstance(text, str) for text in value)


def _number(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < NUMBER)
