"""The sockets: parse, call one service, answer. A function for each command of docs/protocol.md.

The seat comes from the session and the match row, never from a frame. The answer to an act leaves after its commit.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qs

import orjson
from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation

from games import events, notify, services
from games.database import in_db
from games.engine import SIDES, Json, Side
from games.errors import NotFound, Refused, Stale
from games.selectors import lists, table

log = logging.getLogger(__name__)

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


class MatchConsumer(PlayConsumer):
    """One viewer at the table of one match: a player or a spectator."""

    side: Side | None = None
    version = 0
    stamp, stamped = 0, 0.0  # of the last `pong`, and when it left

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.trips: deque[int] = deque(maxlen=3)  # milliseconds; the shortest counts (games.lag)

    async def connect(self) -> None:
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        self.user_id: int | None = getattr(self.scope.get("user"), "pk", None)
        self.group = notify.match_group(self.match_id)
        self.here: dict[str, bool] = dict.fromkeys(SIDES, False)
        await self.accept()
        # Join before reading, so that nothing falls between the state and the first event.
        await self.channel_layer.group_add(self.group, self.channel_name)
        try:
            await self.say_state()
        except NotFound:
            await self.close(CLOSE_NOT_FOUND)
            return
        await self.channel_layer.group_send(self.group, {"type": "match.hello", "side": self.side, "back": True})

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "group"):
            await self.channel_layer.group_discard(self.group, self.channel_name)
            if self.side is not None:
                await self.channel_layer.group_send(self.group, {"type": "match.goodbye", "side": self.side})

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Read one frame and hand it to its command. Whatever is wrong with it is said, and nothing else happens."""
        frame_id: str | None = None
        try:
            if not self.credit():
                await self.refuse(Refused("too_many"), None)
                await self.close(CLOSE_TOO_MANY)
                return
            frame = _parse(text_data)
            frame_id = _id_of(frame)
            command = self.COMMANDS.get(frame["t"]) if isinstance(frame.get("t"), str) else None
            if command is None:
                raise Refused("unknown_command")
            await command(self, frame)
        except Stale as refusal:
            await self.refuse(refusal, frame_id)
            await self.say_state()
        except Refused as refusal:
            await self.refuse(refusal, frame_id)
            if refusal.code == "too_large":
                await self.close(CLOSE_TOO_LARGE)

    # Commands

    async def act(self, frame: Json) -> None:
        after = frame.get("after")
        if after is not None and (not isinstance(after, int) or isinstance(after, bool)):
            raise Refused("bad_version")
        answer = await in_db(
            services.match_act,
            match_id=self.match_id,
            user_id=self.user_id,
            action=frame.get("action", ""),
            client_id=frame.get("id", ""),
            after=after,
            element=frame.get("c", ""),
            trip=min(self.trips, default=0),
        )
        await self.say({"t": "ack", "id": frame["id"], "version": answer.version})

    async def dice(self, frame: Json) -> None:
        version = await in_db(services.dice_give, match_id=self.match_id, user_id=self.user_id, given=frame)
        await self.say({"t": "ack", "id": _id_of(frame), "version": version})

    async def sync(self, frame: Json) -> None:
        after = frame.get("after", 0)
        if not isinstance(after, int) or isinstance(after, bool) or after < 0:
            raise Refused("bad_version")
        event, side = await in_db(table.match_sync, match_id=self.match_id, user_id=self.user_id, after=after)
        await self.say(events.for_viewer(event, side, "actions"))

    async def why(self, frame: Json) -> None:
        path, attempt = frame.get("path", ""), frame.get("attempt", "")
        if not isinstance(path, str) or not isinstance(attempt, str):
            raise Refused("bad_frame")
        version, refusal = await in_db(
            table.match_why, match_id=self.match_id, side=self.side, path=path, attempt=attempt
        )
        with translation.override(self.language()):
            reason = refusal.as_json() if refusal else {"code": None, "ruling": "", "text": ""}
        await self.say({"t": "why", "id": _id_of(frame), "version": version, **reason})

    async def ping(self, frame: Json) -> None:
        self.version = await in_db(table.match_version, match_id=self.match_id)
        self.stamp, self.stamped = self.stamp + 1, time.monotonic()
        await self.say({"t": "pong", "version": self.version, "stamp": self.stamp})

    async def lag(self, frame: Json) -> None:
        """The stamp of the last `pong` is back: that was one round trip. Any other is ignored."""
        if frame.get("stamp") == self.stamp and self.stamped:
            self.trips.append(int((time.monotonic() - self.stamped) * 1000))
            self.stamped = 0.0

    COMMANDS: ClassVar[dict[str, Callable[[Any, Json], Awaitable[None]]]] = {
        "act": act,
        "dice": dice,
        "sync": sync,
        "why": why,
        "ping": ping,
        "lag": lag,
    }

    # From the group

    async def match_event(self, message: Json) -> None:
        self.version = message["event"]["version"]
        await self.say(events.for_viewer(message["event"], self.side, "event"))

    async def match_state(self, message: Json) -> None:
        self.version = message["event"]["version"]
        await self.say(events.for_viewer(message["event"], self.side, "state"))

    async def match_changed(self, message: Json) -> None:
        await self.say_state()

    async def match_hello(self, message: Json) -> None:
        """Somebody is at the table: say so, and (when he just came) let him know of me."""
        if message["side"] is not None:
            await self._presence(message["side"], True)
        if message["back"] and self.side is not None:
            await self.channel_layer.group_send(self.group, {"type": "match.hello", "side": self.side, "back": False})

    async def match_goodbye(self, message: Json) -> None:
        await self._presence(message["side"], False)
        if message["side"] == self.side:  # the same seat in another tab is still here
            await self.channel_layer.group_send(self.group, {"type": "match.hello", "side": self.side, "back": False})

    async def _presence(self, side: str, here: bool) -> None:
        if self.here[side] != here:
            self.here[side] = here
            await self.say({"t": "presence", "version": self.version, **self.here})

    # Saying

    async def say_state(self) -> None:
        event, self.side = await in_db(table.match_event, match_id=self.match_id, user_id=self.user_id)
        self.version = event["version"]
        await self.say(events.for_viewer(event, self.side, "state"))

    async def refuse(self, refusal: Refused, frame_id: str | None) -> None:
        with translation.override(self.language()):
            await self.say({"t": "refused", "id": frame_id, "version": self.version, **refusal.as_json()})


class LobbyConsumer(PlayConsumer):
    """Any page of a visitor: hears that the lists changed, and what is for him alone. What it says is a heartbeat."""

    since: int | None = None

    async def connect(self) -> None:
        self.user_id: int | None = getattr(self.scope.get("user"), "pk", None)
        await self.accept()
        await self.channel_layer.group_add(notify.LOBBY, self.channel_name)
        if self.user_id is not None:
            await self.channel_layer.group_add(notify.user_group(self.user_id), self.channel_name)
        # The groups are joined: what was said before that, since the page was made, is read from the rows.
        self.since = _since(self.scope)
        await self.catch_up("hello")

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(notify.LOBBY, self.channel_name)
        if self.user_id is not None:
            await self.channel_layer.group_discard(notify.user_group(self.user_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.credit():
            await self.close(CLOSE_TOO_MANY)
        elif not text_data or len(text_data) > LONGEST_FRAME:
            await self.close(CLOSE_TOO_LARGE)
        else:
            await self.catch_up("pong")

    async def catch_up(self, word: str) -> None:
        """Say what was missed since the last time, and until when it is known now. What was heard is said again."""
        missed, self.since = await in_db(lists.missed, user_id=self.user_id, since=self.since)
        for message in missed:
            await self.say(message)
        await self.say({"t": word, "since": self.since})

    async def lobby_changed(self, message: Json) -> None:
        await self.say({"t": "lobby"})

    async def user_told(self, message: Json) -> None:
        await self.say(message["message"])


def _since(scope: Mapping[str, Any]) -> int | None:
    """The `since` of a socket's address: milliseconds of the epoch, or None."""
    value = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("since", [""])[0]
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 14 else None


def _parse(text: str | None) -> Json:
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


def _id_of(frame: Json) -> str | None:
    """The id to echo, cut to a length that cannot be abused."""
    value = frame.get("id")
    return value[:40] if isinstance(value, str) else None
