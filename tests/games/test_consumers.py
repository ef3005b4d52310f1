"""What two players and a spectator of a match see and may do."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from unittest.mock import ANY, patch

from channels.db import database_sync_to_async
from channels.layers import get_channel_layer

from games import heartbeat_batch, message_delivery, notify, services
from games.consumers import match as match_consumer
from games.database import now
from games.live import group_commit
from games.live.group_commit import GroupCommit
from games.live.loop_connection import LoopConnection
from games.live.ordinary_act import ActRequest, OrdinaryAct
from games.models import Action, Match
from games.selectors import match_state
from games.services import presence
from tests.games.match_sockets import TableCase, find_key


class Table(TableCase):
    """What each of the three sees and may do."""

    async def test_everyone_sees_the_move_and_only_the_side_to_act_gets_the_tree(self) -> None:
        ana, bea, carlos = [await self.sit(user) for user in (self.ana, self.bea, self.carlos)]
        assert [(await self.receive(s, "state"))["you"] for s in (ana, bea, carlos)] == ["white", "black", None]
        await self.act(ana, "roll", 0)
        for socket in (ana, bea, carlos):
            await self.receive(socket, "event")
        await self.act(bea, "roll", 1)
        frames = [await self.receive(s, "event") for s in (ana, bea, carlos)]
        assert [bool(frame["position"]["tree"]) for frame in frames] == [True, False, False]
        assert [frame["may"] for frame in frames][2] == []
        assert "move" in frames[0]["may"]
        assert "move" not in frames[1]["may"]
        assert [a["text"] for a in frames[2]["actions"]] == ["roll", "dice 31"]
        frame_id = await self.act(ana, "8/5 6/5", 3)
        ack = await self.receive(ana, "ack")
        assert (ack["id"], ack["version"]) == (frame_id, 4)
        for socket in (bea, carlos):
            event = await self.receive(socket, "event")
            assert (event["from"], event["version"], event["last"]["text"]) == (3, 4, "8/5 6/5")
        assert await database_sync_to_async(Action.objects.filter(match=self.match).count)() == 4
        await self.leave(ana, bea, carlos)

    async def test_a_player_whose_act_waits_for_the_database_hears_that_the_line_is_alive(self) -> None:
        ana, bea, carlos = await self.opened()
        await ana.send_json_to({"t": "ping"})
        assert "stamp" in await self.receive(ana, "pong")
        may_commit = threading.Event()

        def commit_later(requests: Sequence[ActRequest]) -> list[OrdinaryAct | None]:
            assert may_commit.wait(60)
            return commit(requests)

        commit = group_commit.commit_batch
        with (
            patch.object(LoopConnection, "ready", False),
            patch.object(group_commit, "commit_batch", commit_later),
            patch.object(match_consumer, "STILL_HERE", 0.01),
        ):
            frame_id = await self.act(ana, "8/5 6/5", 3)
            for _ in range(2):
                assert await self.receive(ana, "pong") == {"t": "pong", "version": 3, "away": ANY}
            may_commit.set()
            assert await self.receive(ana, "ack") == {"t": "ack", "id": frame_id, "version": 4}
        await self.leave(ana, bea, carlos)

    async def test_a_spectator_sees_no_private_data_and_cannot_act(self) -> None:
        ana, bea, carlos = await self.opened()
        await carlos.send_json_to({"t": "sync", "after": 0})
        frame = await self.receive(carlos, "actions")
        assert [tree for tree in find_key(frame, "tree") if tree] == []
        assert find_key(frame, "private") == []
        assert frame["may"] == []
        await self.act(carlos, "8/5 6/5", 3)
        assert (await self.receive(carlos, "refused"))["code"] == "not_seated"
        assert await database_sync_to_async(Action.objects.filter(match=self.match).count)() == 3
        await self.leave(ana, bea, carlos)

    async def test_a_visitor_without_account_may_watch(self) -> None:
        visitor = await self.sit(None)
        assert (await self.receive(visitor, "state"))["you"] is None
        await self.leave(visitor)

    async def test_a_retry_gets_the_first_answer(self) -> None:
        ana, bea, carlos = await self.opened()
        frame_id = await self.act(ana, "8/5 6/5", 3)
        assert (await self.receive(ana, "ack"))["version"] == 4
        await self.act(bea, "roll", 4)
        await self.receive(bea, "ack")
        for socket in (ana, await self.sit(self.ana)):
            await self.act(socket, "8/5 6/5", 3, id=frame_id)
            assert await self.receive(socket, "ack") == {"t": "ack", "id": frame_id, "version": 4}
        await self.act(ana, "8/4", 3, id=frame_id)
        assert (await self.receive(ana, "refused"))["code"] == "id_reused"
        assert await database_sync_to_async(Action.objects.filter(match=self.match, text="8/5 6/5").count)() == 1
        await self.leave(ana, bea, carlos, socket)

    async def test_what_a_player_sent_again_while_the_first_waited_costs_nothing(self) -> None:
        ana, bea, carlos = await self.opened()
        frame_id = await self.act(ana, "8/5 6/5", 3)
        await self.receive(ana, "ack")
        with (
            patch.object(GroupCommit, "act", side_effect=AssertionError),
            patch.object(services, "match_act", side_effect=AssertionError),
        ):
            for _ in range(3):
                await self.act(ana, "8/5 6/5", 3, id=frame_id)
                assert (await self.receive(ana, "ack"))["version"] == 4
        await self.leave(ana, bea, carlos)

    async def test_a_stale_action_is_refused_and_resynced(self) -> None:
        ana, bea, carlos = await self.opened()
        await self.act(ana, "8/5 6/5", 1)
        assert (await self.receive(ana, "refused"))["code"] == "stale"
        state = await self.receive(ana, "state")
        assert state["version"] == 3
        assert state["position"]["tree"]
        await self.leave(ana, bea, carlos)

    async def test_sync_gives_the_actions_after_a_version(self) -> None:
        ana, bea, carlos = await self.opened()
        await bea.send_json_to({"t": "sync", "after": 1})
        frame = await self.receive(bea, "actions")
        assert [a["n"] for a in frame["actions"]] == [2, 3]
        await self.leave(ana, bea, carlos)

    async def test_an_action_has_the_same_moment_in_its_event_and_in_a_sync(self) -> None:
        ana, bea, carlos = await self.opened()
        await self.act(ana, "8/5 6/5", 3)
        happened = (await self.receive(bea, "event"))["actions"]
        await bea.send_json_to({"t": "sync", "after": 3})
        assert (await self.receive(bea, "actions"))["actions"] == happened
        recorded = await database_sync_to_async(Action.objects.get)(match=self.match, n=4)
        assert [each["at"] for each in happened] == [recorded.at.isoformat()]
        await self.leave(ana, bea, carlos)

    async def test_the_heartbeat_carries_the_version_of_the_database(self) -> None:
        ana, bea, carlos = await self.opened()
        await database_sync_to_async(Match.objects.filter(pk=self.match.pk).update)(version=77)
        await ana.send_json_to({"t": "ping"})
        assert (await self.receive(ana, "pong"))["version"] == 77
        await self.leave(ana, bea, carlos)

    @patch.object(heartbeat_batch, "FRESH_SECONDS", 3600)
    async def test_a_heartbeat_from_memory_says_no_version_below_that_of_an_answer_before_it(self) -> None:
        ana, bea, carlos = await self.opened()
        await ana.send_json_to({"t": "ping"})
        assert (await self.receive(ana, "pong"))["version"] == 3
        await database_sync_to_async(Match.objects.filter(pk=self.match.pk).update)(version=77)
        await ana.send_json_to({"t": "sync", "after": 77})
        assert (await self.receive(ana, "actions"))["version"] == 77
        await ana.send_json_to({"t": "ping"})
        assert (await self.receive(ana, "pong"))["version"] == 77
        await self.leave(ana, bea, carlos)

    @patch.object(heartbeat_batch, "GATHER_SECONDS", 2.0)
    async def test_an_act_does_not_wait_for_a_heartbeat_that_is_still_read(self) -> None:
        ana, bea, carlos = await self.opened()
        await ana.send_json_to({"t": "ping"})
        await ana.send_json_to({"t": "ping"})  # answered together
        await self.act(ana, "8/5 6/5", 3)
        kinds = [(await ana.receive_json_from())["t"] for _ in range(3)]
        assert sorted(kinds[:2]) == ["ack", "event"]
        assert kinds[2] == "pong"
        assert await ana.receive_nothing(0.2)
        await self.leave(ana, bea, carlos)

    async def test_a_heartbeat_of_a_later_version_holds_back_no_state(self) -> None:
        ana, bea, carlos = await self.opened()
        rows = Match.objects.filter(pk=self.match.pk)
        await database_sync_to_async(rows.update)(version=77)
        await ana.send_json_to({"t": "ping"})
        assert (await self.receive(ana, "pong"))["version"] == 77
        await database_sync_to_async(rows.update)(version=3)
        await get_channel_layer().group_send(notify.match_group(self.match.pk), {"type": "match.changed"})
        assert (await self.receive(ana, "state"))["version"] == 3
        await self.leave(ana, bea, carlos)

    async def test_what_happened_before_the_first_state_was_read_is_not_sent_after_it(self) -> None:
        ana, bea, carlos = await self.opened()
        may_read, states = asyncio.Event(), match_consumer._states()
        ask = states.ask

        async def ask_later(*viewing: Any) -> match_state.StateOfMatch:
            await may_read.wait()
            return await ask(*viewing)

        with patch.object(states, "ask", ask_later):
            newcomer = await self.sit(self.bea)
            await newcomer.send_json_to({"t": "ping"})
            await self.act(ana, "8/5 6/5", 3)
            await self.receive(ana, "ack")
            await self.act(bea, "roll", 4)
            await self.receive(bea, "ack")
            may_read.set()
            frames = [await newcomer.receive_json_from()]
            while frames[-1]["t"] != "pong":
                frames.append(await newcomer.receive_json_from())
        assert (frames[0]["t"], {frame["version"] for frame in frames}) == ("state", {6})
        await self.leave(ana, bea, carlos, newcomer)

    async def test_changes_that_come_while_a_state_is_read_take_one_more_read(self) -> None:
        ana, bea, carlos = await self.opened()
        may_read, states = asyncio.Event(), match_consumer._states()
        ask, viewers = states.ask, []

        async def ask_later(viewing: match_state.Viewing, *wanted: Any) -> match_state.StateOfMatch:
            viewers.append(viewing[1])
            await may_read.wait()
            return await ask(viewing, *wanted)

        async def change() -> None:
            await database_sync_to_async(notify.match_changed)(self.match.pk)
            for delivery in tuple(message_delivery._under_way):
                await delivery

        with patch.object(states, "ask", ask_later):
            await change()
            while len(viewers) < 3:
                await asyncio.sleep(0.01)
            for _ in range(3):
                await change()
            may_read.set()
            for socket in (ana, bea, carlos) * 2:
                await self.receive(socket, "state")
            await asyncio.sleep(0.2)
        assert len(viewers) == 6
        await change()
        await self.receive(carlos, "state")
        await self.leave(ana, bea, carlos)

    async def test_the_round_trip_is_measured_by_a_returned_stamp_and_passed_to_the_act(self) -> None:
        ana, bea, carlos = await self.opened()
        await ana.send_json_to({"t": "ping"})
        stamp = (await self.receive(ana, "pong"))["stamp"]
        time.sleep(0.2)  # no player's time: the round trip to ana
        for stamp_sent in (
            None,
            str(stamp),
            stamp + 1,
            stamp,
            stamp,
        ):  # only its own stamp, and only once, measures a round trip
            await ana.send_json_to({"t": "lag", "stamp": stamp_sent})
        with patch.object(GroupCommit, "act", return_value=services.Answer(4)) as acted:
            await self.act(bea, "roll", 3)
            await self.receive(bea, "ack")
            assert acted.call_args.args[0].rtt_ms == 0
            await self.act(ana, "8/5 6/5", 3)
            await self.receive(ana, "ack")
            assert acted.call_args.args[0].rtt_ms >= 200
        await self.leave(ana, bea, carlos)

    async def test_an_illegal_half_move_is_explained_in_the_players_language(self) -> None:
        ana, bea, carlos = await self.opened()
        await ana.send_json_to({"t": "why", "id": "w-1", "path": "", "attempt": "24/19"})
        reason = await self.receive(ana, "why")
        assert reason["code"]
        assert reason["ruling"].startswith("B")
        assert reason["text"]
        await ana.send_json_to({"t": "why", "id": "w-2", "path": "", "attempt": "8/5"})
        assert (await self.receive(ana, "why"))["code"] is None
        await self.leave(ana, bea, carlos)

    async def test_both_players_see_who_is_present(self) -> None:
        ana = await self.sit(self.ana)
        await self.receive(ana, "state")
        bea = await self.sit(self.bea)
        here = await self.receive(ana, "presence")
        while not here["black"]:
            here = await self.receive(ana, "presence")
        assert here["white"]
        await self.leave(bea)
        assert (await self.receive(ana, "presence"))["black"] is False
        await self.leave(ana)


class Absence(TableCase):
    """Absence as the sockets show it."""

    @patch.object(heartbeat_batch, "FRESH_SECONDS", 0.0)  # each one asks the database
    async def test_a_frame_counts_as_presence_and_a_heartbeat_returns_who_is_away(self) -> None:
        ana, bea, carlos = await self.opened()
        assert await database_sync_to_async(presence.write)() == 2
        await ana.send_json_to({"t": "ping"})
        assert (await self.receive(ana, "pong"))["away"] == {}
        await database_sync_to_async(self._silence)("bea", minutes=5)
        for socket, absence in ((ana, ["since_ms", "left_ms", "may"]), (carlos, ["since_ms"])):
            await socket.send_json_to({"t": "ping"})
            away = (await self.receive(socket, "pong"))["away"]
            assert {side: list(about) for side, about in away.items()} == {"black": absence}
        await self.leave(ana, bea, carlos)

    async def test_a_waiting_player_adjourns_and_both_resume(self) -> None:
        ana, bea, carlos = await self.opened()
        await self.act(ana, "8/5 6/5", 3)
        await self.receive(ana, "ack")
        await ana.send_json_to({"t": "claim", "id": "page-1"})
        assert (await self.receive(ana, "refused"))["code"] == "not_away"
        await database_sync_to_async(self._silence)("bea", minutes=5)
        for socket in (ana, another := await self.sit(self.ana)):
            await socket.send_json_to({"t": "adjourn", "id": "page-2"})
            ack = await self.receive(socket, "ack")
            assert (ack["id"], ack["version"]) == ("page-2", 5)
        assert (await self.receive(carlos, "event"))["version"] == 4
        assert (await self.receive(carlos, "event"))["paused"]["by"] == "ana"
        for socket, version in ((bea, 5), (ana, 6)):
            await socket.send_json_to({"t": "go-on", "id": "page-3"})
            assert (await self.receive(socket, "ack"))["version"] == version
        assert (await self.receive(carlos, "state"))["paused"]["ready"] == ["black"]
        assert (await self.receive(carlos, "event"))["paused"] is None
        await self.leave(ana, another, bea, carlos)

    def _silence(self, name: str, **ago: float) -> None:
        presence.write()
        past = now() - timedelta(**ago)
        Match.objects.filter(pk=self.match.pk).update(started_at=past)
        self.match.actions.update(at=past)
        self.match.seats.filter(user__username=name).update(seen_at=past)
