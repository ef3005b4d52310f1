"""The socket of events: a program says who it is, what it wants to hear and from where on, and hears it."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import Any

from accounts import rates
from accounts.errors import Refused
from accounts.models import User
from accounts.programs import Grant, grant_of
from accounts.scopes import HOOKS
from games.consumers.base import CLOSE_TOO_LARGE, CLOSE_TOO_MANY, PlayConsumer, id_of, parse
from games.database import in_db
from games.doors import codes, registry
from games.doors.entrance import line_of
from games.engine import Json
from games.errors import Refused as BadFrame
from hooks import services
from hooks.selectors.events import first_number, last_number
from hooks.streams import Listening, ProgramVisit

ANONYMOUS = 10.0  # seconds in which a program says who it is
NUMBER = 2**53


class EventsConsumer(PlayConsumer):
    """One program. Its token comes in the header or in the first frame; any frame of it is a heartbeat."""

    silence = ANONYMOUS  # until it has said who it is
    grant: Grant | None = None
    listening: Listening | None = None
    pump: asyncio.Task[None] | None = None

    async def websocket_connect(self, message: Json) -> None:
        self.line = line_of(self.scope)
        self.heard = time.monotonic()
        await self.accept()  # only an accepted socket can be told why it is closed
        if registry.here().closing:
            return
        await registry.here().enter(self)
        headers = dict(self.scope.get("headers", []))
        if header := headers.get(b"authorization", b"").decode("latin-1"):
            await self.come_in(header)

    async def come_in(self, header: str) -> None:
        """Let a token in that may hear events, or close."""
        grant = await in_db(grant_of, header)
        spent = await in_db(rates.spend, rates.READ, grant.key) if grant is not None else None
        if grant is None or HOOKS not in grant.scopes or (spent is not None and spent.over):
            await self.close(codes.LOGGED_OUT if spent is None or not spent.over else codes.TOO_MANY_FRAMES)
            return
        registry.here().leave(self)  # and comes in again as who it is
        self.grant, self.visit = grant, ProgramVisit(user_id=grant.user.pk)
        self.silence = PlayConsumer.silence  # type: ignore[misc]
        await registry.here().enter(self)
        await self.say({"t": "hello", "last": await in_db(last_number)})

    async def disconnect(self, code: int) -> None:
        if self.pump is not None:
            self.pump.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Read one frame. Whatever is wrong with it is said, and nothing else happens."""
        frame_id: str | None = None
        try:
            if not self.credit():
                await self.close(CLOSE_TOO_MANY)
                return
            frame = parse(text_data)
            frame_id = id_of(frame)
            if frame.get("t") == "auth" and self.grant is None:
                token = frame.get("token")
                await self.come_in(f"Bearer {token}" if isinstance(token, str) else "")
            elif self.grant is None:
                await self.close(codes.LOGGED_OUT)
            elif frame.get("t") == "listen":
                await self.listen(self.grant, frame)
            elif frame.get("t") == "ping":
                await self.say({"t": "pong"})
            else:
                raise BadFrame("unknown_command")
        except Refused as refusal:
            await self.refuse(refusal, frame_id)
            if refusal.code == "too_large":
                await self.close(CLOSE_TOO_LARGE)

    async def listen(self, grant: Grant, frame: Json) -> None:
        """Hear these subjects and kinds from a number on (from now on without one), in the place of what it heard."""
        subjects, kinds, after = frame.get("subjects", []), frame.get("kinds", []), frame.get("after")
        if not (_texts(subjects) and _texts(kinds) and _number(after)):
            raise BadFrame("bad_frame")
        topics, named, first, last = await in_db(begin, grant.user, subjects, kinds)
        if self.pump is not None:
            self.pump.cancel()
        self.listening = Listening(grant, topics=topics, kinds=named, after=last if after is None else min(after, last))
        gone = after is not None and after + 1 < first
        said = {"t": "listening", "after": self.listening.after, "first": first, "gone": gone}
        await self.say({**said, "id": id_of(frame)})
        self.pump = asyncio.create_task(self._bring(self.listening))

    async def _bring(self, listening: Listening) -> None:
        async with aclosing(listening.pages()) as pages:
            async for told in pages:
                for one in told:
                    await self.say({"t": "event", **one})
                if self.closed:
                    return
        await self.close(codes.LOGGED_OUT)


def begin(user: User, subjects: list[str], kinds: list[str]) -> tuple[tuple[str, ...], tuple[str, ...], int, int]:
    """Keep somebody's ears open: his topics, the kinds, the first and the last number of the log. Raises Refused."""
    topics, named = services.topics_of(user, subjects=subjects), services.kinds_of(kinds)
    services.listen(user=user, topics=topics)
    return topics, named, first_number(), last_number()


def _texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 100 and all(isinstance(one, str) for one in value)


def _number(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < NUMBER)
