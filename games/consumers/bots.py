"""The socket of a member's bot: it receives its pending events whenever they change. The bot acts over HTTP.

It comes with a token and without an Origin, so it has a route of its own, outside the check of origins and of sessions.
"""

from __future__ import annotations

from accounts.programs.credentials import bot_by_digest
from accounts.programs.tokens import bearer_digest
from games import notify
from games.connections import close_codes
from games.consumers.base import PlayConsumer
from games.database import in_db
from games.engine import Json
from games.selectors import bot_events
from games.services import presence


class BotConsumer(PlayConsumer):
    """A connected bot. Its token is checked again with every answer; any frame is a heartbeat."""

    kind = "bot"
    bot_id = 0
    connected = False  # whether it counts as present in its matches (games.services.presence)
    digest = ""

    async def websocket_connect(self, message: Json) -> None:
        headers = dict(self.scope.get("headers", []))
        self.digest = bearer_digest(headers.get(b"authorization", b"").decode("latin-1")) or ""
        bot = await in_db(bot_by_digest, self.digest)
        if bot is None:
            await self.accept()  # only an accepted socket gets a close code
            await self.close(close_codes.SIGNED_OUT)
            return
        self.bot_id = bot.pk
        self.scope["user"] = bot
        await super().websocket_connect(message)

    async def connect(self) -> None:
        await self.accept()
        presence.bot_connected(self.bot_id)
        self.connected = True
        await self.channel_layer.group_add(notify.user_group(self.bot_id), self.channel_name)
        await self.send_events()

    async def disconnect(self, code: int) -> None:
        if self.connected:
            self.connected = False
            presence.bot_disconnected(self.bot_id)
            await self.channel_layer.group_discard(notify.user_group(self.bot_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if await self.accepts_heartbeat(text_data):
            await self.send_events()

    async def user_message(self, message: Json) -> None:
        await self.send_events()

    async def send_events(self) -> None:
        """Send all pending events; a token that is no longer valid closes the socket."""
        if await in_db(bot_by_digest, self.digest) is None:
            await self.close(close_codes.SIGNED_OUT)
            return
        await self.send_frame({"t": "events", "events": await in_db(bot_events.pending_events, bot_id=self.bot_id)})
