"""The socket of every page: private events of its user."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import TransactionTestCase

from accounts.models import User
from games import message_delivery, services
from games.models import Match
from games.routing import websocket_urlpatterns
from tests.patient_sockets import PatientSocket

Frame = dict[str, Any]


@pytest.mark.usefixtures("valkey")
class LobbyCase(TransactionTestCase):
    """The socket of every page: private events of its user, including those before it opened."""

    def setUp(self) -> None:
        self.ana, self.bea = (User.objects.create_user(name) for name in ("ana", "bea"))

    def challenge(self) -> Match:
        return services.match_create(
            creator=self.ana, variant="backgammon", length=5, clock="club", rated=True, invited=self.bea
        )

    async def lobby_frames(self, user: User, query: str = "") -> tuple[PatientSocket, list[Frame]]:
        """A socket and its frames up to `hello`."""
        from channels.routing import URLRouter

        socket = PatientSocket(URLRouter(websocket_urlpatterns), f"/ws/lobby/{query}")
        socket.scope["user"] = user
        assert (await socket.connect())[0]
        frames: list[Frame] = [await socket.receive_json_from()]
        while frames[-1]["t"] != "hello":
            frames.append(await socket.receive_json_from())
        return socket, frames

    async def test_a_page_receives_what_happened_between_rendering_and_connecting(self) -> None:
        match = await database_sync_to_async(self.challenge)()
        made = int(match.created_at.timestamp() * 1000) - 1
        bea, frames = await self.lobby_frames(self.bea, f"?since={made}")
        assert [(frame["t"], frame.get("id"), frame.get("from")) for frame in frames[:-1]] == [
            ("challenge", match.pk, "ana"),
            ("notice", None, None),
        ]
        await database_sync_to_async(services.match_join)(match_id=match.pk, user=self.bea)
        ana, frames = await self.lobby_frames(self.ana, f"?since={made}")
        assert frames[:-1] == [
            {"t": "go", "id": match.pk, "url": f"/match/{match.pk}/"},
            {"t": "notice", "unread": 1},
        ]
        await ana.disconnect()
        ana, frames = await self.lobby_frames(self.ana, f"?since={frames[-1]['since']}")
        assert [frame["t"] for frame in frames] == [
            "go",
            "notice",
            "hello",
        ]  # repeated: the page ignores what it has received
        assert frames[-1]["since"] >= made
        for socket in (ana, bea):
            await socket.disconnect()

    async def test_what_was_uncommitted_when_the_page_asked_comes_with_the_next_request(self) -> None:
        made = int(time.time() * 1000) - 60_000
        bea, frames = await self.lobby_frames(self.bea, f"?since={made}")
        await bea.disconnect()
        match = await database_sync_to_async(self.challenge)()
        before = match.created_at - timedelta(seconds=10)  # it was committed this long after its timestamp
        await database_sync_to_async(Match.objects.filter(pk=match.pk).update)(created_at=before)
        bea, frames = await self.lobby_frames(self.bea, f"?since={frames[-1]['since']}")
        assert ("challenge", match.pk) in [(frame["t"], frame.get("id")) for frame in frames]
        await bea.disconnect()

    async def test_a_page_receives_nothing_from_before_it_was_rendered(self) -> None:
        match = await database_sync_to_async(self.challenge)()
        made = int(match.created_at.timestamp() * 1000) + 1
        bea, frames = await self.lobby_frames(self.bea, f"?since={made}")
        since = frames[-1]["since"]
        await bea.disconnect()
        bea, later_frames = await self.lobby_frames(self.bea, f"?since={since}")
        assert since >= made
        assert "challenge" not in [frame["t"] for frame in (*frames, *later_frames)]
        await bea.disconnect()

    async def test_a_page_without_a_valid_time_receives_only_new_events(self) -> None:
        await database_sync_to_async(self.challenge)()
        for query in ("", "?since=", "?since=-4", "?since=99999999999999", "?since=" + "9" * 200, "?since=x&since=y"):
            socket, frames = await self.lobby_frames(self.bea, query)
            assert [frame["t"] for frame in frames] == ["hello"], query
            await socket.disconnect()

    async def test_a_heartbeat_recovers_what_the_broker_lost(self) -> None:
        made = int(time.time() * 1000) - 1000
        bea, _frames = await self.lobby_frames(self.bea, f"?since={made}")

        def unheard() -> Match:
            with message_delivery.collecting():  # messages that are not delivered: a broker that is down
                return self.challenge()

        match = await database_sync_to_async(unheard)()
        for _heartbeat in range(2):  # and repeated for a while: the page ignores what it has received
            await bea.send_json_to({"t": "ping"})
            frames = [await bea.receive_json_from() for _ in range(3)]
            assert [(frame["t"], frame.get("id")) for frame in frames] == [
                ("challenge", match.pk),
                ("notice", None),
                ("pong", None),
            ]
        await bea.disconnect()
