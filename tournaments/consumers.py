"""The socket of a tournament's page: it sends the version of the tournament, on connecting and after each change."""

from __future__ import annotations

from games.consumers import CLOSE_NOT_FOUND, PlayConsumer
from games.database import in_db
from games.engine import Json
from tournaments import notify
from tournaments.errors import NotFound
from tournaments.selectors import tournament_page


class TournamentConsumer(PlayConsumer):
    """A page that shows one tournament. Every message of a client is answered with the version."""

    kind = "tournament"

    async def connect(self) -> None:
        self.tournament_id: str = self.scope["url_route"]["kwargs"]["tournament_id"]
        self.group = notify.tournament_group(self.tournament_id)
        await self.accept()
        # Join before reading, so that nothing falls between the version and the first change.
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.send_version()

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "group"):
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if await self.accepts_heartbeat(text_data):
            await self.send_version()

    async def tournament_changed(self, message: Json) -> None:
        await self.send_frame({"t": "tournament", "version": message["version"]})

    async def send_version(self) -> None:
        try:
            version = await in_db(tournament_page.tournament_version, tournament_id=self.tournament_id)
        except NotFound:
            await self.close(CLOSE_NOT_FOUND)
            return
        await self.send_frame({"t": "tournament", "version": version})
