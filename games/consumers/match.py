"""The socket at a match: a function for each command of docs/protocol.md, which parses, calls one service and answers.

The seat comes from the session and the match row, never from a frame. The answer to an act leaves after its commit.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from django.utils import translation
from structlog.contextvars import bind_contextvars

from games import events, meters, notify, pulses, services
from games.consumers.base import CLOSE_TOO_LARGE, CLOSE_TOO_MANY, PlayConsumer, id_of, parse
from games.database import in_db
from games.doors import codes
from games.engine import SIDES, Json, Side
from games.errors import KeptOut, NotFound, Refused, Stale
from games.selectors import table
from games.services import presence

GREETING = 0.2  # seconds until a player greets who came
SYNC_ACTIONS = 100  # in one `actions`: with the state they stay below 64 KiB


class MatchConsumer(PlayConsumer):
    """One viewer at the table of one match: a player or a spectator."""

    silence = 25.0  # its client beats every 4 s; a hidden page is not let, but answers a `pong`
    restless = 5.5  # so that a hidden page is heard before it counts as away (games.absence)
    side: Side | None = None
    version = 0
    stamp, stamped = 0, 0.0  # of the last `pong`, and when it left

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.greeting: asyncio.Task[None] | None = None
        self.trips: deque[int] = deque(maxlen=3)  # milliseconds; the shortest counts (games.lag)

    async def connect(self) -> None:
        self.match_id: str = self.scope["url_route"]["kwargs"]["match_id"]
        bind_contextvars(match=self.match_id)  # in what is logged from here on, for this socket
        self.user_id: int | None = getattr(self.scope.get("user"), "pk", None)
        self.group, self.seats = notify.match_group(self.match_id), notify.seats_group(self.match_id)
        self.here: dict[str, bool] = dict.fromkeys(SIDES, False)
        await self.accept()
        # Join before reading, so that nothing falls between the state and the first event.
        await self.channel_layer.group_add(self.group, self.channel_name)
        if not await self.look_in():
            return
        if self.side is not None:
            await self.channel_layer.group_add(self.seats, self.channel_name)
            await self.channel_layer.group_send(self.group, {"type": "match.hello", "side": self.side})
        # Only players are asked who is here: a thousand spectators who greet one another are a million greetings.
        await self.channel_layer.group_send(self.seats, {"type": "match.who"})

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "group"):
            await self.channel_layer.group_discard(self.group, self.channel_name)
            if self.greeting is not None:
                self.greeting.cancel()
            if self.side is not None:
                await self.channel_layer.group_discard(self.seats, self.channel_name)
                await self.channel_layer.group_send(self.group, {"type": "match.goodbye", "side": self.side})

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Read one frame and hand it to its command. Whatever is wrong with it is said, and nothing else happens."""
        frame_id: str | None = None
        try:
            if not self.credit():
                await self.refuse(Refused("too_many"), None, version=self.version)
                await self.close(CLOSE_TOO_MANY)
                return
            if self.side is not None:
                presence.heard(self.match_id, self.user_id)
            frame = parse(text_data)
            frame_id = id_of(frame)
            command = self.COMMANDS.get(frame["t"]) if isinstance(frame.get("t"), str) else None
            if command is None:
                raise Refused("unknown_command")
            await command(self, frame)
        except Stale as refusal:
            await self.refuse(refusal, frame_id, version=self.version)
            await self.look_in()
        except Refused as refusal:
            await self.refuse(refusal, frame_id, version=self.version)
            if refusal.code == "too_large":
                await self.close(CLOSE_TOO_LARGE)
            elif isinstance(refusal, KeptOut):
                await self.close(codes.KEPT_OUT)

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
        meters.ACK.observe(time.monotonic() - self.heard)

    async def claim(self, frame: Json) -> None:
        await self._end_the_wait(services.match_claim, frame)

    async def adjourn(self, frame: Json) -> None:
        await self._end_the_wait(services.match_adjourn, frame)

    async def _end_the_wait(self, service: Callable[..., services.Answer], frame: Json) -> None:
        client_id = frame.get("id", "")
        answer = await in_db(service, match_id=self.match_id, user_id=self.user_id, client_id=client_id)
        await self.say({"t": "ack", "id": client_id, "version": answer.version})

    async def go_on(self, frame: Json) -> None:
        answer = await in_db(services.match_go_on, match_id=self.match_id, user_id=self.user_id)
        await self.say({"t": "ack", "id": id_of(frame), "version": answer.version})

    async def dice(self, frame: Json) -> None:
        version = await in_db(services.dice_give, match_id=self.match_id, user_id=self.user_id, given=frame)
        await self.say({"t": "ack", "id": id_of(frame), "version": version})

    async def order(self, frame: Json) -> None:
        after = frame.get("after")
        if after is not None and (not isinstance(after, int) or isinstance(after, bool)):
            raise Refused("bad_version")
        answer = await in_db(
            services.match_order,
            match_id=self.match_id,
            user_id=self.user_id,
            client_id=frame.get("id", ""),
            order=frame.get("order"),
            after=after,
        )
        await self.say({"t": "ack", "id": frame["id"], "version": answer.version})

    async def sync(self, frame: Json) -> None:
        after = frame.get("after", 0)
        if not isinstance(after, int) or isinstance(after, bool) or after < 0:
            raise Refused("bad_version")
        event, side = await in_db(
            table.match_sync, match_id=self.match_id, user_id=self.user_id, after=after, most=SYNC_ACTIONS
        )
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
        await self.say({"t": "why", "id": id_of(frame), "version": version, **reason})

    async def ping(self, frame: Json) -> None:
        pulse = await pulses.here().ask(self.match_id, self.user_id)
        self.version = pulse.version
        self.stamp, self.stamped = self.stamp + 1, time.monotonic()
        await self.say({"t": "pong", **pulse.as_json(), "stamp": self.stamp})

    async def lag(self, frame: Json) -> None:
        """The stamp of the last `pong` is back: that was one round trip. Any other is ignored."""
        if frame.get("stamp") == self.stamp and self.stamped:
            self.trips.append(int((time.monotonic() - self.stamped) * 1000))
            self.stamped = 0.0

    COMMANDS: ClassVar[dict[str, Callable[[Any, Json], Awaitable[None]]]] = {
        "act": act,
        "claim": claim,
        "adjourn": adjourn,
        "go-on": go_on,
        "dice": dice,
        "order": order,
        "sync": sync,
        "why": why,
        "ping": ping,
        "lag": lag,
    }

    async def poke(self) -> None:
        await self.ping({})

    # From the group

    async def match_event(self, message: Json) -> None:
        self.version = message["event"]["version"]
        await self.say_text(events.text_for_viewer(message, self.side, "event"))

    async def match_state(self, message: Json) -> None:
        self.version = message["event"]["version"]
        await self.say_text(events.text_for_viewer(message, self.side, "state"))

    async def match_changed(self, message: Json) -> None:
        await self.look_in()

    async def match_parted(self, message: Json) -> None:
        """A block was made between a player and `user_id`: who only watches looks again whether he may."""
        if self.user_id == message["user_id"] and self.side is None:
            await self.look_in()

    async def match_hello(self, message: Json) -> None:
        """A player is at the table."""
        await self._presence(message["side"], True)

    async def match_who(self, message: Json) -> None:
        """Somebody has come and asks who is here: a player says so in a moment, once for all who ask meanwhile."""
        if self.greeting is None or self.greeting.done():
            self.greeting = asyncio.create_task(self._greet())

    async def _greet(self) -> None:
        await asyncio.sleep(GREETING)
        await self.channel_layer.group_send(self.group, {"type": "match.hello", "side": self.side})

    async def match_goodbye(self, message: Json) -> None:
        await self._presence(message["side"], False)
        if message["side"] == self.side:  # the same seat in another tab is still here
            await self.channel_layer.group_send(self.group, {"type": "match.hello", "side": self.side})

    async def _presence(self, side: str, here: bool) -> None:
        if self.here[side] != here:
            self.here[side] = here
            await self.say({"t": "presence", "version": self.version, **self.here})

    # Saying

    async def look_in(self) -> bool:
        """Say the state; a viewer who may not see it is put out. Whether he stays."""
        try:
            await self.say_state()
        except NotFound as refusal:
            await self.close(codes.KEPT_OUT if isinstance(refusal, KeptOut) else codes.NOT_FOUND)
            return False
        return True

    async def say_state(self) -> None:
        event, self.side = await in_db(table.match_event, match_id=self.match_id, user_id=self.user_id)
        self.version = event["version"]
        await self.say(events.for_viewer(event, self.side, "state"))
