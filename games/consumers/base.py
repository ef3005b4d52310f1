"""What every socket has: its door, its credits, its language, and a dispatch without detours."""

from __future__ import annotations

import logging
import math
import time
from collections import deque
from typing import Any, ClassVar

import orjson
from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from accounts.errors import Refused as Refusal
from accounts.sessions import Visit, visit_of
from games import meters
from games.doors import codes, registry
from games.doors.entrance import Line, line_of
from games.engine import Json
from games.errors import Refused

log = logging.getLogger(__name__)

LONGEST_FRAME = 4096  # bytes that a client may send at once
CREDITS, CREDIT_SECONDS = 100, 20.0
MOST_UNSENT = 256 * 1024  # bytes that may wait for a client to read them; the largest state has a quarter of that

CLOSE_TOO_LARGE, CLOSE_NOT_FOUND, CLOSE_TOO_MANY = codes.TOO_LARGE, codes.NOT_FOUND, codes.TOO_MANY_FRAMES


class PlayConsumer(AsyncWebsocketConsumer):
    """A socket without Channels' detour through the database thread before every event (docs/adr/0001)."""

    silence: ClassVar[float] = 75.0  # seconds without a frame after which its client is taken for dead
    restless: ClassVar[float] = math.inf  # seconds without a frame after which it is asked for one
    visit = Visit()
    line: Line | None = None
    heard = 0.0
    busy = False
    closed = False  # by us: whatever still comes in is dropped

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.times: deque[float] = deque()

    async def dispatch(self, message: Json) -> None:
        """Hand one message to its handler. What began before a drain is finished, and then the socket parts."""
        if self.closed and message["type"] != "websocket.disconnect":
            return
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            raise ValueError(f"No handler for message type {message['type']}")
        self.busy = True
        try:
            await handler(message)
        finally:
            self.busy = False
        if registry.here().closing:
            await self.part()

    async def websocket_connect(self, message: Json) -> None:
        self.line = line_of(self.scope)
        self.visit = visit_of(self.scope.get("user"), self.scope.get("session"))
        self.heard = time.monotonic()
        if registry.here().closing:
            await self.accept()  # only an accepted socket can be told why it is closed; `dispatch` does
            return
        await registry.here().enter(self)
        await super().websocket_connect(message)

    async def websocket_receive(self, message: Json) -> None:
        self.heard = time.monotonic()
        if self.line is not None and self.line.unread > CREDITS:
            await self.shut(codes.TOO_MANY_FRAMES)
            return
        await self.receive(text_data=message.get("text"), bytes_data=message.get("bytes"))

    async def websocket_disconnect(self, message: Json) -> None:
        self.closed = True
        registry.here().leave(self)
        await super().websocket_disconnect(message)

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        """Close, and hear and say no more. autobahn drops a client that does not answer within a second."""
        if not self.closed:
            self.closed = True
            await super().close(code, reason)

    async def refuse(self, refusal: Refusal, frame_id: str | None, **more: Any) -> None:
        """Say what cannot be, in the language of who is at this socket. It is counted, and stands in the log."""
        meters.REFUSED.labels(refusal.code).inc()
        log.info("a frame of %s was refused: %s", _number(self.visit), refusal.code)
        with translation.override(self.language()):
            await self.say({"t": "refused", "id": frame_id, **more, **refusal.as_json()})

    async def say(self, frame: Json) -> None:
        await self.say_text(orjson.dumps(frame).decode())

    async def say_text(self, text: str) -> None:
        """Say it; a line that broke a moment ago, whose end is on its way here, is not written to."""
        if self.closed:
            return
        try:
            await self.send(text_data=text)
        except Disconnected:
            self.closed = True
            return
        await self.look()

    # As a door (games.doors)

    async def shut(self, code: int) -> None:
        await self.close(code)

    async def part(self) -> None:
        await self.say({"t": "restart"})
        await self.close(codes.RESTART)

    async def poke(self) -> None:
        """Nothing: most clients beat by themselves."""

    async def look(self) -> None:
        if self.line is not None and self.line.unsent > MOST_UNSENT:
            await self.close(codes.DEAD)

    def credit(self) -> bool:
        """Whether this socket may speak again: at most 100 frames in any 20 seconds."""
        moment = time.monotonic()
        while self.times and moment - self.times[0] > CREDIT_SECONDS:
            self.times.popleft()
        self.times.append(moment)
        return len(self.times) <= CREDITS

    def language(self) -> str:
        """The language of the one at this socket: his choice, his cookie, his browser's."""
        user = self.scope.get("user")
        if chosen := getattr(user, "language", ""):
            return str(chosen)
        if (cookie := self.scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME)) in ("es", "en"):
            return str(cookie)
        for name, value in self.scope.get("headers", []):
            if name == b"accept-language":
                return _preferred(value.decode("latin-1"))
        return "en"


def _number(visit: Visit) -> str:
    return "somebody" if visit.user_id is None else f"user {visit.user_id}"


def _preferred(accept: str) -> str:
    """The first of our languages in an Accept-Language header (its order is taken as the order of wish)."""
    for part in accept.split(","):
        tag = part.split(";")[0].strip().lower()[:2]
        if tag in ("es", "en"):
            return tag
    return "en"


def parse(text: str | None) -> Json:
    if text is None:
        raise Refused("bad_frame")
    if len(text) > LONGEST_FRAME or len(text.encode("utf-8", "surrogatepass")) > LONGEST_FRAME:
        raise Refused("too_large")
    try:
        frame = orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError, RecursionError) as error:
        raise Refused("bad_frame") from error
    if not isinstance(frame, dict):
        raise Refused("bad_frame")
    return frame


def id_of(frame: Json) -> str | None:
    """The id to echo, cut to a length that cannot be abused."""
    value = frame.get("id")
    return value[:40] if isinstance(value, str) else None
