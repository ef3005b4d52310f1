"""The socket of the live boards: what it receives, and what it does not."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from unittest.mock import patch

from channels.db import database_sync_to_async

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from games import live_boards, message_delivery, services
from games.consumers import live_boards as consumer
from games.models import Match
from games.routing import websocket_urlpatterns
from games.selectors import live_boards as read
from tests.games.live_boards.seats import SECRETS, seat_others
from tests.games.match_sockets import TableCase, find_key
from tests.patient_sockets import PatientSocket


class LiveBoards(TableCase):
    """carlos watches the live boards while ana and bea play."""

    def setUp(self) -> None:
        super().setUp()
        patcher = patch.object(consumer, "CHOOSE_SECONDS", 0.05)
        patcher.start()
        self.addCleanup(patcher.stop)

    async def open_boards(self, query: str = "", user: User | None = None) -> PatientSocket:
        from channels.routing import URLRouter

        socket = PatientSocket(URLRouter(websocket_urlpatterns), f"/ws/wall/{query}")
        socket.scope["user"] = user
        assert (await socket.connect())[0]
        return socket

    async def act_as(self, user: User, action: str, **more: Any) -> None:
        self.count += 1
        await database_sync_to_async(services.match_act)(
            match_id=self.match.pk, user_id=user.pk, action=action, client_id=f"wall-{self.count}", **more
        )

    async def test_it_sends_the_boards_and_then_their_events(self) -> None:
        carlos = await self.open_boards(user=self.carlos)
        frame = await self.receive(carlos, "boards")
        assert frame["ids"] == [self.match.pk]
        assert frame["boards"][0]["about"]["words"]["game"] == "Backgammon"
        await self.act_as(self.ana, "roll")
        assert (await self.receive(carlos, "board"))["version"] == 1
        started = time.monotonic()
        await self.act_as(self.bea, "roll")
        board = await self.receive(carlos, "board")
        assert (board["version"], board["position"]["dice"]) == (3, [3, 1])
        assert time.monotonic() - started > 0.25  # the second event of one board was delayed
        for secret in SECRETS:
            assert find_key(board, secret) == [], secret
        await self.leave(carlos)

    async def test_lost_events_are_detected_by_the_heartbeat_and_requested_again(self) -> None:
        carlos = await self.open_boards()
        await self.receive(carlos, "boards")

        def unheard() -> None:
            with message_delivery.collecting():
                services.match_act(match_id=self.match.pk, user_id=self.ana.pk, action="roll", client_id="lost")

        await database_sync_to_async(unheard)()
        await carlos.send_json_to({"t": "ping"})
        assert (await self.receive(carlos, "pong"))["versions"] == {self.match.pk: 1}
        await carlos.send_json_to({"t": "again", "ids": [self.match.pk, "nothing"]})
        assert (await self.receive(carlos, "board"))["version"] == 1
        await self.leave(carlos)

    async def test_a_new_match_appears_and_a_finished_one_leaves_after_its_result(self) -> None:
        carlos = await self.open_boards()
        await self.receive(carlos, "boards")
        [other] = await database_sync_to_async(seat_others)(1)
        assert (await self.receive(carlos, "boards"))["ids"] == [self.match.pk, other.pk]
        with patch.object(live_boards, "ENDED_BOARD_SECONDS", 0.5):
            await self.act_as(self.ana, "resign match")
            board = await self.receive(carlos, "board")
            while board["status"] != "over":
                await self.act_as(self.bea, "accept")
                board = await self.receive(carlos, "board")
            assert board["result"] == {"winner": "black", "by": "resign"}
            assert (await self.receive(carlos, "boards"))["ids"] == [other.pk]
        await self.leave(carlos)

    async def test_an_unannounced_end_is_shown_too(self) -> None:
        carlos = await self.open_boards()
        await self.receive(carlos, "boards")

        def unheard() -> None:
            with message_delivery.collecting():
                services.match_act(match_id=self.match.pk, user_id=self.ana.pk, action="resign match", client_id="x1")
                if Match.objects.get(pk=self.match.pk).status != Match.Status.OVER:
                    services.match_act(match_id=self.match.pk, user_id=self.bea.pk, action="accept", client_id="x2")

        await database_sync_to_async(unheard)()
        assert (await self.receive(carlos, "board"))["status"] == "over"
        await self.leave(carlos)

    async def test_a_client_selects_boards_and_returns_to_automatic_selection(self) -> None:
        others = await database_sync_to_async(seat_others)(2)
        carlos = await self.open_boards(f"?ids={others[1].pk}")
        assert (await self.receive(carlos, "boards"))["ids"] == [others[1].pk]
        await carlos.send_json_to({"t": "show", "ids": [self.match.pk, "nothing", 7, others[0].pk]})
        assert (await self.receive(carlos, "boards"))["ids"] == [self.match.pk, others[0].pk]
        await carlos.send_json_to({"t": "show"})
        assert len((await self.receive(carlos, "boards"))["ids"]) == 3
        await self.leave(carlos)

    async def test_tv_sends_the_large_board_first(self) -> None:
        others = await database_sync_to_async(seat_others)(8)
        carlos = await self.open_boards("?show=tv")
        frame = await self.receive(carlos, "boards")
        assert frame["ids"][0] == self.match.pk  # to 5, the others to 3
        assert len(frame["ids"]) == 1 + live_boards.TV_QUEUE
        assert set(frame["ids"][1:]) < {other.pk for other in others}
        await self.leave(carlos)

    async def test_a_block_hides_a_board_from_these_two_users_only(self) -> None:
        await database_sync_to_async(relationships.relationship_create)(
            by=self.bea, about=self.carlos, kind=relationship_selectors.BLOCK
        )
        for query in ("", f"?ids={self.match.pk}"):
            carlos, visitor = await self.open_boards(query, self.carlos), await self.open_boards(query)
            assert (await self.receive(carlos, "boards"))["ids"] == []
            assert (await self.receive(visitor, "boards"))["ids"] == [self.match.pk]
            await self.act_as(self.ana, "roll") if not query else None
            assert await carlos.receive_nothing(timeout=0.3)
            await self.leave(carlos, visitor)

    async def test_boards_of_followed_players_are_shown(self) -> None:
        await database_sync_to_async(seat_others)(1)
        await database_sync_to_async(relationships.relationship_create)(
            by=self.carlos, about=self.ana, kind=relationship_selectors.FOLLOW
        )
        carlos, visitor = await self.open_boards("?of=followed", self.carlos), await self.open_boards("?of=followed")
        assert (await self.receive(carlos, "boards"))["ids"] == [self.match.pk]
        assert (await self.receive(visitor, "boards"))["ids"] == []
        await self.leave(carlos, visitor)

    async def test_presence_is_not_sent_to_live_boards(self) -> None:
        carlos = await self.open_boards()
        await self.receive(carlos, "boards")
        ana = await self.sit(self.ana)
        await self.receive(ana, "state")
        await self.leave(ana)
        assert await carlos.receive_nothing(timeout=0.3)
        await carlos.send_json_to({"t": "ping"})
        await self.receive(carlos, "pong")
        await self.leave(carlos)

    async def test_crafted_frames_are_refused(self) -> None:
        carlos = await self.open_boards()
        await self.receive(carlos, "boards")
        for frame, code in [
            ({"t": "act", "action": "roll"}, "unknown_command"),
            ({"t": "again"}, "bad_frame"),
            ({"t": "show", "ids": "all"}, "bad_frame"),
            ({}, "unknown_command"),
        ]:
            await carlos.send_json_to(frame)
            assert (await self.receive(carlos, "refused"))["code"] == code, frame
        await carlos.send_to(text_data="x" * 5000)
        assert (await self.receive(carlos, "refused"))["code"] == "too_large"
        assert (await carlos.receive_output())["code"] == 4413

    async def test_many_live_boards_query_the_database_once(self) -> None:
        queries = 0

        def counted(board_filter: read.BoardFilter) -> list[read.Candidate]:
            nonlocal queries
            queries += 1
            return read.candidates(board_filter)

        with patch.object(consumer, "CHOOSE_SECONDS", 30.0), patch.object(consumer, "candidates", counted):
            sockets = [await self.open_boards() for _ in range(5)]
            for board_socket in sockets:
                await self.receive(board_socket, "boards")
            await asyncio.sleep(0)
            assert queries == 1
            await self.leave(*sockets)

    async def test_spectators_are_counted_but_not_players_or_live_boards(self) -> None:
        ana, bea, carlos = await self.opened()
        hung = await self.open_boards()
        await self.receive(hung, "boards")
        assert consumer.current_candidates().spectators() == {self.match.pk: 1}
        await self.leave(ana, bea, carlos, hung)
