"""The socket of a tournament's page: it says the version, on connecting and whenever that changes. It knows no more."""

from __future__ import annotations

from games.consumers import CLOSE_NOT_FOUND, CLOSE_TOO_LARGE, CLOSE_TOO_MANY, LONGEST_FRAME, PlayConsumer
from games.database import in_db
from games.engine import Json
from tournaments import notify
from tournaments.errors import NotFound
from tournaments.selectors import pages


class TournamentConsumer(PlayConsumer):
    """Anybody who looks at one tournament. What a client says is answered with the version, no more."""

    async def connect(self) -> None:
        self.tournament_id: str = self.scope["url_route"]["kwargs"]["tournament_id"]
        self.group = notify.tournament_group(self.tournament_id)
        await self.accept()
        # Join before reading, so that nothing falls between the version and the first change.
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.say_version()

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "group"):
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self.credit():
            await self.close(CLOSE_TOO_MANY)
        elif not text_data or len(text_data) > LONGEST_FRAME:
            await self.close(CLOSE_TOO_LARGE)
        else:
            await self.say_version()

    async def tournament_changed(self, message: Json) -> None:
        await self.say({"t": "tournament", "version": message["version"]})

    async def say_version(self) -> None:
        try:
            version = await in_db(pages.version, tournament_id=self.tournament_id)
        except NotFound:
            await self.close(CLOSE_NOT_FOUND)
            return
        await self.say({"t": "tournament", "version": version})
