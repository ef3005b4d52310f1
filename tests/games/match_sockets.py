"""Two players and a spectator at one match, over sockets of the real consumer."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import TransactionTestCase

from accounts.models import User
from games import dice, services
from games.routing import websocket_urlpatterns
from tests.patient_sockets import PatientSocket

Frame = dict[str, Any]


def find_key(value: Any, key: str) -> list[Any]:
    """Every value under `key`, however deep."""
    found: list[Any] = []
    if isinstance(value, dict):
        for name, inner in value.items():
            found += [inner] if name == key else []
            found += find_key(inner, key)
    elif isinstance(value, list):
        for inner in value:
            found += find_key(inner, key)
    return found


@pytest.mark.usefixtures("valkey")
class TableCase(TransactionTestCase):
    """A live match between ana (White) and bea (Black); carlos watches."""

    script: list[tuple[int, int]]

    def setUp(self) -> None:
        self.ana, self.bea, self.carlos = (User.objects.create_user(name) for name in ("ana", "bea", "carlos"))
        seek = services.match_create(creator=self.ana, variant="backgammon", length=5, clock="club", rated=True)
        self.match = services.match_join(match_id=seek.pk, user=self.bea)
        self.script = [(3, 1)]
        before = dice.replace_roller(lambda match_id, index, elements: self.script.pop(0) if self.script else (6, 5))
        self.addCleanup(dice.replace_roller, before)
        self.count = 0

    async def sit(self, user: User | None, **scope: Any) -> PatientSocket:
        from channels.routing import URLRouter

        socket = PatientSocket(URLRouter(websocket_urlpatterns), f"/ws/match/{self.match.pk}/")
        socket.scope["user"] = user
        socket.scope.update(scope)
        connected, _ = await socket.connect()
        assert connected
        return socket

    async def receive(self, socket: PatientSocket, kind: str) -> Frame:
        """The next frame of a kind, passing over presence and other kinds."""
        for _ in range(20):
            frame: Frame = await socket.receive_json_from()
            if frame["t"] == kind:
                return frame
        raise AssertionError(f"no {kind}")

    async def act(self, socket: PatientSocket, action: str, after: int, **more: Any) -> str:
        self.count += 1
        frame_id = more.pop("id", f"0123456789abcdef-{self.count}")
        await socket.send_json_to({"t": "act", "id": frame_id, "after": after, "action": action, **more})
        return frame_id

    async def opened(self) -> tuple[PatientSocket, PatientSocket, PatientSocket]:
        """All three are connected and ana is to play 31; every frame so far is received."""
        ana, bea, carlos = [await self.sit(user) for user in (self.ana, self.bea, self.carlos)]
        for socket in (ana, bea, carlos):
            await self.receive(socket, "state")
        await self.act(ana, "roll", 0)
        for socket in (ana, bea, carlos):
            assert (await self.receive(socket, "event"))["version"] == 1
        await self.act(bea, "roll", 1)
        for socket in (ana, bea, carlos):
            assert (await self.receive(socket, "event"))["version"] == 3
        return ana, bea, carlos

    async def leave(self, *sockets: PatientSocket) -> None:
        for socket in sockets:
            await socket.disconnect()
