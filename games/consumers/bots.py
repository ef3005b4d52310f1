"""The socket of a member's bot: it hears when there is something to do, and what. It acts over HTTP.

It comes with a token and without an Origin, so it has a route of its own, outside the check of origins and of sessions.
"""

from __future__ import annotations

from accounts.bots import bearer, bot_of
from games import notify
from games.consumers.base import CLOSE_TOO_LARGE, CLOSE_TOO_MANY, LONGEST_FRAME, PlayConsumer
from games.database import in_db
from games.doors import codes
from games.engine import Json
from games.selectors import bots
from games.services import presence


class BotConsumer(PlayConsumer):
    """A bot at the door: who it is stands in its token, which is looked at again with every answer."""

    bot_id = 0
    here = False  # whether it counts as being at its tables (games.services.presence)
    digest = ""

    async def websocket_connect(self, message: Json) -> None:
        headers = dict(self.scope.get("headers", []))
        self.digest = bearer(headers.get(b"authorization", b"").decode("latin-1")) or ""
        bot = await in_db(bot_of, self.digest)
        if bot is None:
            await self.accept()  # only an accepted socket can be told why it is closed
            await self.close(codes.LOGGED_OUT)
            return
        self.bot_id = bot.pk
        self.scope["user"] = bot
        await super().websocket_connect(message)

    async def connect(self) -> None:
        await self.accept()
        presence.bot_came(self.bot_id)
        self.here = True
        await self.channel_layer.group_add(notify.user_group(self.bot_id), self.channel_name)
        await self.tell()

    async def disconnect(self, code: int) -> None:
        if self.here:
            self.here = False
            presence.bot_left(self.bot_id)
            await self.channel_layer.group_discard(notify.user_group(self.bot_id), self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Any frame is a heartbeat, answered by what there is to do."""
        if not self.credit():
            await self.close(CLOSE_TOO_MANY)
        elif not text_data or len(text_data) > LONGEST_FRAME:
            await self.close(CLOSE_TOO_LARGE)
        else:
            await self.tell()

    async def user_told(self, message: Json) -> None:
        await self.tell()

    async def tell(self) -> None:
        """Say all that there is to do now; a token that is void closes the socket."""
        if await in_db(bot_of, self.digest) is None:
            await self.close(codes.LOGGED_OUT)
            return
        await self.say({"t": "events", "events": await in_db(bots.news, bot_id=self.bot_id)})
