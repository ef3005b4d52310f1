"""Crafted frames at a match change nothing and get a coded, translated refusal."""

from __future__ import annotations

from channels.db import database_sync_to_async
from django.test import override_settings

from games.models import Action
from games.routing import websocket_urlpatterns
from tests.games.match_sockets import Frame, TableCase
from tests.patient_sockets import PatientSocket


class HostileFrames(TableCase):
    """Crafted frames change nothing and get a coded, translated refusal."""

    async def test_crafted_frames_are_refused_and_change_nothing(self) -> None:
        ana, bea, carlos = await self.opened()
        good: Frame = {"t": "act", "id": "aa-1", "after": 3, "action": "8/5 6/5"}
        for sender, frame, code in [
            (ana, {**good, "action": "24/13"}, None),
            (bea, good, "not_your_turn"),
            (ana, {**good, "action": "dice 66"}, "server_only"),
            (ana, {**good, "action": "wins 3"}, None),
            (ana, {**good, "seat": "black", "action": "bar/20"}, None),
            (bea, {**good, "seat": "white", "user": "ana"}, "not_your_turn"),
            (carlos, good, "not_seated"),
            (ana, {**good, "action": 7}, "bad_action"),
            (ana, {**good, "action": ["8/5"]}, "bad_action"),
            (ana, {**good, "id": "x" * 41}, "bad_id"),
            (ana, {**good, "id": None}, "bad_id"),
            (ana, {**good, "after": "3"}, "bad_version"),
            (ana, {**good, "after": True}, "bad_version"),
            (ana, {**good, "c": "zz"}, "element"),
            (ana, {"t": "win"}, "unknown_command"),
            (ana, {"t": ["act"]}, "unknown_command"),
            (ana, {}, "unknown_command"),
        ]:
            await sender.send_json_to(frame)
            refusal = await self.receive(sender, "refused")
            assert code is None or refusal["code"] == code, (frame, refusal)
            assert refusal["text"]
        for text in ["{", "[]", "7", "null", "\x00", '{"t":"act"', "[" * 2000]:
            await ana.send_to(text_data=text)
            assert (await self.receive(ana, "refused"))["code"] in ("bad_frame", "too_large")
        await ana.send_to(bytes_data=b"\xff\xfe")
        assert (await self.receive(ana, "refused"))["code"] == "bad_frame"
        assert await database_sync_to_async(Action.objects.filter(match=self.match).count)() == 3
        await self.leave(ana, bea, carlos)

    async def test_a_refusal_is_in_the_players_language(self) -> None:
        spanish = await self.sit(self.ana, headers=[(b"accept-language", b"es-ES,es;q=0.9,en;q=0.8")])
        await self.receive(spanish, "state")
        await spanish.send_json_to({"t": "nonsense"})
        assert (await self.receive(spanish, "refused"))["text"] == "Comando desconocido."
        await self.leave(spanish)

    @override_settings(LANGUAGE_COOKIE_NAME="__Host-language")
    async def test_over_https_too_the_chosen_language_is_used(self) -> None:
        chosen = await self.sit(None, cookies={"__Host-language": "es"}, headers=[(b"accept-language", b"en")])
        await self.receive(chosen, "state")
        await chosen.send_json_to({"t": "nonsense"})
        assert (await self.receive(chosen, "refused"))["text"] == "Comando desconocido."
        await self.leave(chosen)

    async def test_a_refusal_is_logged_without_the_sent_data(self) -> None:
        ana = await self.sit(self.ana)
        await self.receive(ana, "state")
        with self.assertLogs("games.consumers.base", "INFO") as stamp_sent:
            await ana.send_json_to({"t": "my password is swordfish"})
            await self.receive(ana, "refused")
        assert [each.getMessage() for each in stamp_sent.records] == [
            f"a frame of user {self.ana.pk} was refused: unknown_command"
        ]
        await self.leave(ana)

    async def test_a_frame_of_a_megabyte_is_refused_and_the_socket_closed(self) -> None:
        ana, bea, carlos = await self.opened()
        await ana.send_to(text_data="x" * 1_000_000)
        assert (await self.receive(ana, "refused"))["code"] == "too_large"
        assert (await ana.receive_output())["code"] == 4413
        await self.leave(bea, carlos)

    async def test_a_flood_is_disconnected(self) -> None:
        ana = await self.sit(self.ana)
        await self.receive(ana, "state")
        for _ in range(101):
            await ana.send_json_to({"t": "ping"})
        assert (await self.receive_refusal(ana))["code"] == "too_many"

    async def receive_refusal(self, socket: PatientSocket) -> Frame:
        for _ in range(200):
            frame: Frame = await socket.receive_json_from()
            if frame["t"] == "refused":
                return frame
        raise AssertionError("never refused")

    async def test_there_is_no_match_behind_an_invented_url(self) -> None:
        from channels.routing import URLRouter

        socket = PatientSocket(URLRouter(websocket_urlpatterns), "/ws/match/nothing-here/")
        socket.scope["user"] = self.ana
        await socket.connect()
        assert (await socket.receive_output())["code"] == 4404
