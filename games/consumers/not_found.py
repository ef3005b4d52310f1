"""The socket of an unknown address: closed with a code as any other. Without it such an address would be our error."""

from __future__ import annotations

from channels.generic.websocket import AsyncWebsocketConsumer

from games.connections import close_codes


class NotFoundConsumer(AsyncWebsocketConsumer):
    """Accepts and closes with 4404."""

    async def connect(self) -> None:
        await self.accept()  # only an accepted socket gets a close code
        await self.close(close_codes.NOT_FOUND)
