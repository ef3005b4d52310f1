"""The socket of a wall: what it hears, and what it does not."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from unittest.mock import patch

from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator

from accounts import ties
from accounts.models import User
from games import outbox, services, wall
from games.consumers import wall as consumer
from games.models import Match
from games.routing import websocket_urlpatterns
from games.selectors import wall as read
from tests.games.test_consumers import TableCase, find_key
from tests.games.walls.seats import SECRETS, seat_others


class Wall(TableCase):
    """carlos looks at the wall while ana and bea play."""

    def setUp(self) -> None:
        super().setUp()
        look = patch.object(consumer, "LOOK", 0.05)
        look.start()
        self.addCleanup(look.stop)

    async def hang(self, query: str = "", user: User | None = None) -> WebsocketCommunicator:
        from channels.routing import URLRouter

        socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/wall/{query}")
        socket.scope["user"] = user
        assert (await socket.connect())[0]
        return socket

    async def act_as(self, user: User, action: str, **more: Any) -> None:
        self.count += 1
        await database_sync_to_async(services.match_act)(
            match_id=self.match.pk, user_id=user.pk, action=action, client_id=f"wall-{self.count}", **more
        )

    async def test_it_says_the_boards_and_then_what_happens_on_them(self) -> None:
        carlos = await self.hang(user=self.carlos)
        frame = await self.hear(carlos, "boards")
        assert frame["ids"] == [self.match.pk]
        assert frame["boards"][0]["about"]["words"]["game"] == "Backgammon"
        await self.act_as(self.ana, "roll")
        assert (await self.hear(carlos, "board"))["version"] == 1
        started = time.monotonic()
        await self.act_as(self.bea, "roll")
        board = await self.hear(carlos, "board")
        assert (board["version"], board["position"]["dice"]) == (3, [3, 1])
        assert time.monotonic() - started > 0.25  # the second word of one board waited
        for secret in SECRETS:
            assert find_key(board, secret) == [], secret
        await self.leave(carlos)

    async def test_what_was_lost_is_seen_in_the_heartbeat_and_asked_for_again(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")

        def unheard() -> None:
            with outbox.collecting():
                services.match_act(match_id=self.match.pk, user_id=self.ana.pk, action="roll", client_id="lost")

        await database_sync_to_async(unheard)()
        await carlos.send_json_to({"t": "ping"})
        assert (await self.hear(carlos, "pong"))["versions"] == {self.match.pk: 1}
        await carlos.send_json_to({"t": "again", "ids": [self.match.pk, "nothing"]})
        assert (await self.hear(carlos, "board"))["version"] == 1
        await self.leave(carlos)

    async def test_a_new_match_appears_and_one_that_ended_goes_after_its_result(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")
        [other] = await database_sync_to_async(seat_others)(1)
        assert (await self.hear(carlos, "boards"))["ids"] == [self.match.pk, other.pk]
        with patch.object(wall, "KEPT", 0.5):
            await self.act_as(self.ana, "resign match")
            board = await self.hear(carlos, "board")
            while board["status"] != "over":
                await self.act_as(self.bea, "accept")
                board = await self.hear(carlos, "board")
            assert board["result"] == {"winner": "black", "by": "resign"}
            assert (await self.hear(carlos, "boards"))["ids"] == [other.pk]
        await self.leave(carlos)

    async def test_an_end_that_nobody_said_is_shown_too(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")

        def unheard() -> None:
            with outbox.collecting():
                services.match_act(match_id=self.match.pk, user_id=self.ana.pk, action="resign match", client_id="x1")
                if Match.objects.get(pk=self.match.pk).status != Match.Status.OVER:
                    services.match_act(match_id=self.match.pk, user_id=self.bea.pk, action="accept", client_id="x2")

        await database_sync_to_async(unheard)()
        assert (await self.hear(carlos, "board"))["status"] == "over"
        await self.leave(carlos)

    async def test_a_client_names_boards_and_gives_the_choice_back(self) -> None:
        others = await database_sync_to_async(seat_others)(2)
        carlos = await self.hang(f"?ids={others[1].pk}")
        assert (await self.hear(carlos, "boards"))["ids"] == [others[1].pk]
        await carlos.send_json_to({"t": "show", "ids": [self.match.pk, "nothing", 7, others[0].pk]})
        assert (await self.hear(carlos, "boards"))["ids"] == [self.match.pk, others[0].pk]
        await carlos.send_json_to({"t": "show"})
        assert len((await self.hear(carlos, "boards"))["ids"]) == 3
        await self.leave(carlos)

    async def test_television_says_the_large_board_first(self) -> None:
        others = await database_sync_to_async(seat_others)(8)
        carlos = await self.hang("?show=tv")
        frame = await self.hear(carlos, "boards")
        assert frame["ids"][0] == self.match.pk  # to 5, the others to 3
        assert len(frame["ids"]) == 1 + wall.QUEUE
        assert set(frame["ids"][1:]) < {other.pk for other in others}
        await self.leave(carlos)

    async def test_a_block_hides_a_board_and_only_from_these_two(self) -> None:
        await database_sync_to_async(ties.tie_make)(by=self.bea, about=self.carlos, kind=ties.BLOCK)
        for query in ("", f"?ids={self.match.pk}"):
            carlos, passer_by = await self.hang(query, self.carlos), await self.hang(query)
            assert (await self.hear(carlos, "boards"))["ids"] == []
            assert (await self.hear(passer_by, "boards"))["ids"] == [self.match.pk]
            await self.act_as(self.ana, "roll") if not query else None
            assert await carlos.receive_nothing(timeout=0.3)
            await self.leave(carlos, passer_by)

    async def test_whom_i_follow(self) -> None:
        await database_sync_to_async(seat_others)(1)
        await database_sync_to_async(ties.tie_make)(by=self.carlos, about=self.ana, kind=ties.FOLLOW)
        carlos, passer_by = await self.hang("?of=followed", self.carlos), await self.hang("?of=followed")
        assert (await self.hear(carlos, "boards"))["ids"] == [self.match.pk]
        assert (await self.hear(passer_by, "boards"))["ids"] == []
        await self.leave(carlos, passer_by)

    async def test_who_comes_and_goes_at_a_table_is_not_for_walls(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")
        ana = await self.sit(self.ana)
        await self.hear(ana, "state")
        await self.leave(ana)
        assert await carlos.receive_nothing(timeout=0.3)
        await carlos.send_json_to({"t": "ping"})
        await self.hear(carlos, "pong")
        await self.leave(carlos)

    async def test_crafted_frames_are_refused(self) -> None:
        carlos = await self.hang()
        await self.hear(carlos, "boards")
        for frame, code in [
            ({"t": "act", "action": "roll"}, "unknown_command"),
            ({"t": "again"}, "bad_frame"),
            ({"t": "show", "ids": "all"}, "bad_frame"),
            ({}, "unknown_command"),
        ]:
            await carlos.send_json_to(frame)
            assert (await self.hear(carlos, "refused"))["code"] == code, frame
        await carlos.send_to(text_data="x" * 5000)
        assert (await self.hear(carlos, "refused"))["code"] == "too_large"
        assert (await carlos.receive_output(timeout=5))["code"] == 4413

    async def test_many_walls_ask_the_database_once(self) -> None:
        asked = 0

        def counted(wish: read.Wish) -> list[read.Candidate]:
            nonlocal asked
            asked += 1
            return read.candidates(wish)

        with patch.object(consumer, "LOOK", 30.0), patch.object(consumer, "candidates", counted):
            walls = [await self.hang() for _ in range(5)]
            for one in walls:
                await self.hear(one, "boards")
            await asyncio.sleep(0)
            assert asked == 1
            await self.leave(*walls)

    async def test_spectators_are_counted_and_walls_and_players_are_not(self) -> None:
        ana, bea, carlos = await self.opened()
        hung = await self.hang()
        await self.hear(hung, "boards")
        assert consumer.here().watched() == {self.match.pk: 1}
        await self.leave(ana, bea, carlos, hung)
