"""The dice at the sockets: two players lock them, a spectator sees that they are locked and the proof of each roll."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async
from channels.testing import WebsocketCommunicator

from games import dice
from games.models import Match
from tests.games.dice.seats import Player, fresh
from tests.games.test_consumers import TableCase


class DiceAtTheTable(TableCase):
    def setUp(self) -> None:
        super().setUp()
        dice.use(dice.system_roll)  # no script: the chains roll
        self.white, self.black = Player(self.ana, "white"), Player(self.bea, "black")

    async def give(self, socket: WebsocketCommunicator, **given: Any) -> str:
        self.count += 1
        frame_id = f"0123456789abcdef-{self.count}"
        await socket.send_json_to({"t": "dice", "id": frame_id, **given})
        return frame_id

    async def state_with(self, socket: WebsocketCommunicator, *path: str) -> Any:
        """What the next state in which this is so says there."""
        for _ in range(10):
            value: Any = (await self.hear(socket, "state"))["dice"]
            for key in path:
                value = value[key]
            if value:
                return value
        raise AssertionError(f"no {path}")

    async def test_two_players_lock_their_dice_and_the_first_roll_is_proved_to_all(self) -> None:
        ana, bea, carlos = [await self.sit(user) for user in (self.ana, self.bea, self.carlos)]
        pairs = ((ana, self.white), (bea, self.black))
        for socket, player in pairs:
            frame_id = await self.give(socket, end=player.end, commit=player.commit)
            ack = await self.hear(socket, "ack")
            assert (ack["id"], ack["version"]) == (frame_id, 0)
        for socket in (ana, bea, carlos):
            assert await self.state_with(socket, "ready")
        for socket, player in pairs:
            await self.give(socket, nonce=player.nonce.hex(), c=player.chain.element(1).hex())
        assert await self.state_with(carlos, "black", "deposited")
        await self.act(ana, "roll", 0)
        await self.hear(carlos, "event")
        await self.act(bea, "roll", 1)
        event = await self.hear(carlos, "event")
        thrown = event["actions"][-1]
        assert thrown["text"].startswith("dice")
        assert (thrown["proof"]["i"], thrown["proof"]["who"]) == (1, "O")
        assert thrown["proof"]["a"] == self.white.chain.element(1).hex()
        assert event["dice"]["white"]["shown"] == self.white.chain.element(1).hex()
        await self.leave(ana, bea, carlos)

    async def test_who_is_no_player_gives_nothing_and_crafted_frames_change_nothing(self) -> None:
        ana, carlos = [await self.sit(user) for user in (self.ana, self.carlos)]
        before = (await database_sync_to_async(fresh)(self.match)).dice
        for socket, given, code in [
            (carlos, {"end": self.white.end, "commit": self.white.commit}, "not_seated"),
            (ana, {"end": self.white.end}, "element"),
            (ana, {"end": {}, "commit": []}, "element"),
            (ana, {"nonce": "ab" * 32, "c": "ab" * 32}, "dice_early"),
            (ana, {"c": "ab" * 32, "seat": "black"}, "dice_early"),
            (ana, {}, "element"),
        ]:
            await self.give(socket, **given)
            refusal = await self.hear(socket, "refused")
            assert refusal["code"] == code, given
            assert refusal["text"]
        await ana.send_json_to({"t": "dice", "c": "ab" * 32})
        assert (await self.hear(ana, "refused"))["code"] == "bad_id"
        assert (await database_sync_to_async(fresh)(self.match)).dice == before
        await self.leave(ana, carlos)

    async def test_an_order_is_heard_by_nobody_else_and_the_roll_by_all(self) -> None:
        await database_sync_to_async(Match.objects.update)(clock_preset="days3")
        ana, bea, carlos = [await self.sit(user) for user in (self.ana, self.bea, self.carlos)]
        for socket, player in ((ana, self.white), (bea, self.black)):
            await self.give(socket, end=player.end, commit=player.commit)
            await self.hear(socket, "ack")
        for socket, player in ((ana, self.white), (bea, self.black)):
            await self.give(socket, nonce=player.nonce.hex(), c=player.chain.element(1).hex())
            await self.hear(socket, "ack")
        for socket in (bea, carlos):
            while not await self.state_with(socket, "black", "deposited"):
                pass
        await self.give(ana, order=False)
        assert (await self.hear(ana, "ack"))["version"] == 0
        assert await bea.receive_nothing()
        await self.give(ana, order=True, c=self.white.chain.element(1).hex())
        assert (await self.hear(ana, "ack"))["version"] == 1
        event = await self.hear(bea, "event")
        assert [(action["seat"], action["text"]) for action in event["actions"]] == [("white", "roll")]
        assert "order" not in event["dice"]["white"]
        assert event["dice"]["black"]["order"] is False
        assert "order" not in str((await self.hear(carlos, "event"))["dice"])
        await self.give(bea, order=1)
        assert (await self.hear(bea, "refused"))["code"] == "bad_frame"
        await self.leave(ana, bea, carlos)
