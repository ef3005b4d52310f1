"""Where no socket is: said with a code, as everywhere. Without it such an address would be an error of ours."""

from __future__ import annotations

from channels.generic.websocket import AsyncWebsocketConsumer

from games.doors import codes


class NowhereConsumer(AsyncWebsocketConsumer):
    """An address that there is not: the client is told so and goes."""

    async def connect(self) -> None:
        await self.accept()  # only an accepted socket can be told why it is closed
        await self.close(codes.NOT_FOUND)
