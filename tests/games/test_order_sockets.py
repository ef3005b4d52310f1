"""Orders over sockets: only their own player gets an answer, and everyone receives the resulting actions."""

from __future__ import annotations

import json
from typing import Any

from channels.db import database_sync_to_async

from games.models import Match
from tests.games.match_sockets import TableCase
from tests.patient_sockets import PatientSocket


class OrdersAtTheTable(TableCase):
    async def order(self, socket: PatientSocket, text: object, **more: Any) -> str:
        self.count += 1
        frame_id = f"0123456789abcdef-{self.count}"
        await socket.send_json_to({"t": "order", "id": frame_id, "order": text, **more})
        return frame_id

    async def test_an_order_is_private_and_its_answer_public(self) -> None:
        await database_sync_to_async(Match.objects.update)(clock_preset="days3")
        ana, bea, carlos = await self.opened()
        await self.act(ana, "8/5 6/5", 3)
        for socket in (ana, bea, carlos):
            assert (await self.receive(socket, "event"))["version"] == 4
        frame_id = await self.order(ana, "double drop", after=4)
        ack = await self.receive(ana, "ack")
        while ack["id"] != frame_id:
            ack = await self.receive(ana, "ack")
        assert ack["version"] == 4
        assert await bea.receive_nothing()
        assert await carlos.receive_nothing()
        await ana.send_json_to({"t": "sync", "after": 4})
        assert (await self.receive(ana, "actions"))["orders"]["double"] == "double drop"
        await bea.send_json_to({"t": "sync", "after": 4})
        assert (await self.receive(bea, "actions"))["orders"]["double"] is None
        await carlos.send_json_to({"t": "sync", "after": 4})
        assert "orders" not in await self.receive(carlos, "actions")

        await self.act(bea, "double", 4)
        event = await self.receive(carlos, "event")
        assert [(each["text"], each.get("ordered")) for each in event["actions"]] == [("double", None), ("drop", True)]
        assert "double drop" not in json.dumps(event)
        await self.leave(ana, bea, carlos)

    async def test_crafted_orders_are_refused_and_change_nothing(self) -> None:
        await database_sync_to_async(Match.objects.update)(clock_preset="days3")
        ana, carlos = [await self.sit(user) for user in (self.ana, self.carlos)]
        for socket, text, more, code in [
            (carlos, "forced on", {}, "not_seated"),
            (ana, "double beaver", {}, "bad_order"),
            (ana, ["forced on"], {}, "bad_order"),
            (ana, None, {}, "bad_order"),
            (ana, "double take game", {"after": "0"}, "bad_version"),
            (ana, "double take game", {}, "bad_version"),
            (ana, "double take", {"after": 0}, "order_double"),
            (ana, "double take game", {"after": 7}, "stale"),
            (ana, "forced on", {"id": "no spaces"}, "bad_id"),
        ]:
            await self.order(socket, text, **more)
            refusal = await self.receive(socket, "refused")
            assert refusal["code"] == code, (text, more)
            assert refusal["text"]
        match = await database_sync_to_async(Match.objects.get)(pk=self.match.pk)
        assert match.orders is None
        await self.leave(ana, carlos)
