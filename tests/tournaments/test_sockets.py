"""The socket of a tournament page: it sends the version on connecting and after each change."""

from __future__ import annotations

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from django.test import TransactionTestCase

from accounts.models import User
from tests.patient_sockets import PatientSocket
from tests.tournaments.staging import terms_of
from tournaments import services
from tournaments.routing import websocket_urlpatterns


@pytest.mark.usefixtures("valkey")
class TournamentSocketTest(TransactionTestCase):
    """carlos watches a tournament that dora directs."""

    def setUp(self) -> None:
        self.dora, self.ana = (User.objects.create_user(name) for name in ("dora", "ana"))
        self.tournament = services.tournament_create(
            creator=self.dora, name="Weekly club tournament", terms=terms_of("knockout")
        )

    async def watch(self, tournament_id: str) -> PatientSocket:
        socket = PatientSocket(URLRouter(websocket_urlpatterns), f"/ws/tournaments/{tournament_id}/")
        assert (await socket.connect())[0]
        return socket

    async def test_a_change_is_sent_to_open_pages(self) -> None:
        socket = await self.watch(self.tournament.pk)
        assert await socket.receive_json_from() == {"t": "tournament", "version": 1}
        await database_sync_to_async(services.entrant_register)(tournament_id=self.tournament.pk, user=self.ana)
        assert await socket.receive_json_from() == {"t": "tournament", "version": 2}
        await socket.disconnect()

    async def test_every_client_message_is_answered_with_the_version(self) -> None:
        socket = await self.watch(self.tournament.pk)
        await socket.receive_json_from()
        await socket.send_to(text_data="ping")
        assert await socket.receive_json_from() == {"t": "tournament", "version": 1}
        await socket.disconnect()

    async def test_an_unknown_tournament_closes_the_socket(self) -> None:
        socket = await self.watch("nothinghere")
        assert (await socket.receive_output())["code"] == 4404

    async def test_a_frame_that_is_too_long_closes_the_socket(self) -> None:
        socket = await self.watch(self.tournament.pk)
        await socket.receive_json_from()
        await socket.send_to(text_data="x" * 5000)
        assert (await socket.receive_output())["code"] == 4413
