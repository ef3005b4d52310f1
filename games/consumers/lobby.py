"""The socket that every page of a visitor keeps open: it only listens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from games import notify
from games.consumers.base import PlayConsumer
from games.database import in_db
from games.engine import Json
from games.selectors.missed_events import missed_events
from games.services import online


class LobbyConsumer(PlayConsumer):
    """Any page of a visitor: receives changes of the lists, and its user's messages. Any frame is a heartbeat."""

    kind = "lobby"
    since: int | None = None
    user_id: int | None = None

    async def connect(self) -> None:
        self.user_id = self.visit.user_id
        await self.accept()
        await self.channel_layer.group_add(notify.LOBBY, self.channel_name)
        if self.user_id is not None:
            await self.channel_layer.group_add(notify.user_group(self.user_id), self.channel_name)
        # The groups are joined: what was sent before that, since the page was made, is read from the rows.
        self.since = _since(self.scope)
        await self.catch_up("hello")

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(notify.LOBBY, self.channel_name)
        if self.user_id is not None:
            await self.channel_layer.group_discard(notify.user_group(self.user_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if await self.accepts_heartbeat(text_data):
            await self.catch_up("pong")

    async def catch_up(self, frame_type: str) -> None:
        """Send what was missed since the last time, and until when that is known. Some messages come twice."""
        online.seen(self.user_id)
        missed, self.since = await in_db(missed_events, user_id=self.user_id, since=self.since)
        for message in missed:
            await self.send_frame(message)
        await self.send_frame({"t": frame_type, "since": self.since})

    async def lobby_changed(self, message: Json) -> None:
        await self.send_frame({"t": "lobby"})

    async def user_message(self, message: Json) -> None:
        await self.send_frame(message["message"])


def _since(scope: Mapping[str, Any]) -> int | None:
    """The `since` of a socket's address: milliseconds of the epoch, or None."""
    value = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("since", [""])[0]
    return int(value) if value.isascii() and value.isdigit() and len(value) <= 14 else None
