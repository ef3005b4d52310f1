"""What every socket has: its credits, its language, its close codes, and a dispatch without detours."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import orjson
from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer

from games.engine import Json
from games.errors import Refused

LONGEST_FRAME = 4096  # bytes that a client may send at once
CREDITS, CREDIT_SECONDS = 100, 20.0

# autobahn sends no code of the standard range but 1000, so these are our own.
CLOSE_TOO_LARGE, CLOSE_NOT_FOUND, CLOSE_TOO_MANY = 4413, 4404, 4429


class PlayConsumer(AsyncWebsocketConsumer):
    """A socket without Channels' detour through the database thread before every event (docs/adr/0001)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.times: deque[float] = deque()

    async def dispatch(self, message: Json) -> None:
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            raise ValueError(f"No handler for message type {message['type']}")
        await handler(message)

    async def websocket_receive(self, message: Json) -> None:
        await self.receive(text_data=message.get("text"), bytes_data=message.get("bytes"))

    async def say(self, frame: Json) -> None:
        await self.send(text_data=orjson.dumps(frame).decode())

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
        if (cookie := self.scope.get("cookies", {}).get("django_language")) in ("es", "en"):
            return str(cookie)
        for name, value in self.scope.get("headers", []):
            if name == b"accept-language":
                return _preferred(value.decode("latin-1"))
        return "en"


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
