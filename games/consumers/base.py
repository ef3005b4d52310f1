"""What every socket shares: its place in the registry, its rate limit, its language, and a dispatch without detours."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Mapping
from typing import Any

import orjson
from autobahn.exception import Disconnected
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import DatabaseError
from django.utils import translation

from accounts.auth.session_validity import SessionSnapshot, session_snapshot
from accounts.errors import Refused
from accounts.web.languages import preferred_language
from accounts.web.unwritable import is_unwritable
from games import metrics
from games.connections import close_codes, registry
from games.connections.transport import ClientBuffers, buffers_of
from games.engine import Json
from games.frames import MAX_FRAME_BYTES, decode, id_of

log = logging.getLogger(__name__)

CREDITS, CREDIT_SECONDS = 100, 20.0
MAX_UNSENT_BYTES = 256 * 1024  # that may wait for a client to read them; the largest state has a quarter of that

CLOSE_TOO_LARGE, CLOSE_NOT_FOUND = close_codes.TOO_LARGE, close_codes.NOT_FOUND
CLOSE_TOO_MANY = close_codes.TOO_MANY_FRAMES


class PlayConsumer(AsyncWebsocketConsumer):
    """A socket without Channels' detour through the database thread before every event (docs/adr/0001)."""

    kind: str
    """What `/metrics` calls sockets of this class."""
    dead_after: float = 75.0  # seconds without a frame after which its client is taken for dead
    ask_after: float = math.inf  # seconds without a frame after which it is asked for one
    visit = SessionSnapshot()
    language = ""
    """Of this viewer: chosen in the account, in the cookie, or by the browser."""
    buffers: ClientBuffers | None = None
    last_frame_at = 0.0  # monotonic seconds
    busy = False
    closed = False  # by us: whatever still comes in is dropped

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.frame_times: list[float] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Dispatch frames and messages of groups, one at a time, until the socket closes.

        Channels waits for both at once, which costs more than what most messages do.
        """
        self.scope, self.base_send = scope, send
        self.channel_layer = get_channel_layer(self.channel_layer_alias)
        self.channel_name = await self.channel_layer.new_channel()
        self.one_at_a_time = asyncio.Lock()
        frames = asyncio.current_task()
        messages = asyncio.create_task(self._dispatch_group_messages(frames))
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        except asyncio.CancelledError:
            if messages.done() and not messages.cancelled():
                messages.result()  # raises what its handler raised
            raise
        finally:
            messages.cancel()
            await asyncio.wait([messages])  # it gives the channel back

    async def _dispatch_group_messages(self, frames: asyncio.Task[Any] | None) -> None:
        try:
            while True:
                await self.dispatch(await self.channel_layer.receive(self.channel_name))
        except Exception:
            if frames is not None:
                frames.cancel()
            raise

    async def dispatch(self, message: Json) -> None:
        """Hand one message to its handler. What began before a drain is finished, and then the socket closes."""
        async with self.one_at_a_time:
            await self._dispatch(message)

    async def _dispatch(self, message: Json) -> None:
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
        if registry.current_registry().closing:
            await self.close_for_restart()

    @property
    def gone(self) -> bool:
        """Whether nobody reads what is sent."""
        return self.closed or (self.buffers is not None and self.buffers.gone)

    async def websocket_connect(self, message: Json) -> None:
        self.buffers = buffers_of(self.scope)
        self.language = language_of(self.scope)
        self.visit = session_snapshot(self.scope.pop("user", None), self.scope.pop("session", None))
        self.last_frame_at = time.monotonic()
        if registry.current_registry().closing:
            await self.accept()  # only an accepted socket gets a close code; `dispatch` closes it
            return
        await registry.current_registry().add(self)
        await super().websocket_connect(message)
        if self.buffers is not None:
            self.buffers.forget_handshake()
            self.scope.clear()  # the router's copy

    async def websocket_receive(self, message: Json) -> None:
        self.last_frame_at = time.monotonic()
        if self.buffers is not None and self.buffers.unread > CREDITS:
            await self.close(close_codes.TOO_MANY_FRAMES)
            return
        try:
            await self.receive(text_data=message.get("text"), bytes_data=message.get("bytes"))
        except (DatabaseError, OSError) as error:
            if not is_unwritable(error):
                raise
            log.error("nothing can be written: %s", error)
            await self.send_refusal(Refused("unwritable"), _frame_id(message.get("text")), **self.refusal_fields())

    async def websocket_disconnect(self, message: Json) -> None:
        self.closed = True
        registry.current_registry().remove(self)
        await super().websocket_disconnect(message)

    async def close(self, code: int | bool | None = None, reason: str | None = None) -> None:
        """Close, and neither send nor receive. autobahn drops a client that does not answer within a second."""
        if not self.closed:
            self.closed = True
            await super().close(code, reason)

    async def send_refusal(self, refusal: Refused, frame_id: str | None, **more: Any) -> None:
        """Send a refusal in the language of this viewer. It is counted and logged."""
        metrics.REFUSED_FRAMES.labels(refusal.code).inc()
        log.info("a frame of %s was refused: %s", _name(self.visit), refusal.code)
        with translation.override(self.language):
            await self.send_frame({"t": "refused", "id": frame_id, **more, **refusal.as_json()})

    def refusal_fields(self) -> Json:
        """What every refusal of this socket says besides."""
        return {}

    async def send_frame(self, frame: Json) -> None:
        await self.send_text(orjson.dumps(frame).decode())

    async def send_text(self, text: str) -> None:
        """Send a frame, unless the connection broke a moment ago and its end has not been handled yet."""
        if self.closed:
            return
        if self.buffers is None:
            await self.send(text_data=text)
            return
        self.send_now(text)
        await self.close_if_stalled()

    def send_now(self, text: str) -> None:
        """Do as `send_text` without waiting; for sockets whose `buffers` are known."""
        try:
            if self.buffers is not None:
                self.buffers.send_text(text)
        except Disconnected:
            self.closed = True

    # As a socket of the registry (games.connections)

    async def close_for_restart(self) -> None:
        await self.send_frame({"t": "restart"})
        await self.close(close_codes.RESTART)

    async def ask_heartbeat(self) -> None:
        """Do nothing: most clients send heartbeats by themselves."""

    async def close_if_stalled(self) -> None:
        if not self.closed and self.buffers is not None and self.buffers.unsent > MAX_UNSENT_BYTES:
            await self.close(close_codes.UNRESPONSIVE)

    def has_credit(self) -> bool:
        """Whether this socket may send another frame: at most 100 in any 20 seconds."""
        moment = time.monotonic()
        while self.frame_times and moment - self.frame_times[0] > CREDIT_SECONDS:
            del self.frame_times[0]
        self.frame_times.append(moment)
        return len(self.frame_times) <= CREDITS

    async def accepts_heartbeat(self, text: str | None) -> bool:
        """Whether a frame whose content does not matter is within the limits. Closes the socket if it is not."""
        if not self.has_credit():
            await self.close(CLOSE_TOO_MANY)
        elif not text or len(text) > MAX_FRAME_BYTES:
            await self.close(CLOSE_TOO_LARGE)
        return not self.closed


def language_of(scope: Mapping[str, Any]) -> str:
    """Return the language of a socket's viewer, from its handshake."""
    headers = dict(scope.get("headers", []))
    return preferred_language(
        account=getattr(scope.get("user"), "language", ""),
        cookie=scope.get("cookies", {}).get(settings.LANGUAGE_COOKIE_NAME, ""),
        accept=headers.get(b"accept-language", b"").decode("latin-1"),
    )


def _frame_id(text: str | None) -> str | None:
    """The id of a frame that may have none, or be none."""
    try:
        return id_of(decode(text))
    except Refused:
        return None


def _name(visit: SessionSnapshot) -> str:
    return "somebody" if visit.user_id is None else f"user {visit.user_id}"
