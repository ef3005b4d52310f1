"""The socket that every page of a visitor keeps: it only listens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from games import notify
from games.consumers.base import CLOSE_TOO_LARGE, CLOSE_TOO_MANY, LONGEST_FRAME, PlayConsumer
from games.database import in_db
from games.engine import Json
from games.selectors import lists
from games.services import online


class LobbyConsumer(PlayConsumer):
    """Any page of a visitor: hears that the lists changed, and what is for him alone. What it says is a heartbeat."""

    since: int | None = None
    user_id: int | None = None

    async def connect(self) -> None:
        self.user_id = getattr(self.scope.get("user"), "pk", None)
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
        online.seen(self.user_id)
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
