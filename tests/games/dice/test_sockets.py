"""Dice over sockets: two players commit to them, a spectator sees the commitments and the proof of each roll."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async

from games import dice
from games.models import Match
from tests.games.dice.seats import Player, fresh
from tests.games.match_sockets import TableCase
from tests.patient_sockets import PatientSocket


class DiceAtTheTable(TableCase):
    def setUp(self) -> None:
        super().setUp()
        dice.replace_roller(dice.system_roll)  # no script: the chains roll
        self.white, self.black = Player(self.ana, "white"), Player(self.bea, "black")

    async def give(self, socket: PatientSocket, **fields: Any) -> str:
        self.count += 1
        frame_id = f"0123456789abcdef-{self.count}"
        await socket.send_json_to({"t": "dice", "id": frame_id, **fields})
        return frame_id

    async def state_with(self, socket: PatientSocket, *path: str) -> Any:
        """The field of the next state for which the condition holds."""
        for _ in range(10):
            value: Any = (await self.receive(socket, "state"))["dice"]
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
            ack = await self.receive(socket, "ack")
            assert (ack["id"], ack["version"]) == (frame_id, 0)
        for socket in (ana, bea, carlos):
            assert await self.state_with(socket, "ready")
        for socket, player in pairs:
            await self.give(socket, nonce=player.nonce.hex(), c=player.chain.element(1).hex())
        assert await self.state_with(carlos, "black", "deposited")
        await self.act(ana, "roll", 0)
        await self.receive(carlos, "event")
        await self.act(bea, "roll", 1)
        event = await self.receive(carlos, "event")
        roll = event["actions"][-1]
        assert roll["text"].startswith("dice")
        assert (roll["proof"]["i"], roll["proof"]["who"]) == (1, "O")
        assert roll["proof"]["a"] == self.white.chain.element(1).hex()
        assert event["dice"]["white"]["shown"] == self.white.chain.element(1).hex()
        await self.leave(ana, bea, carlos)

    async def test_spectators_and_crafted_frames_change_nothing(self) -> None:
        ana, carlos = [await self.sit(user) for user in (self.ana, self.carlos)]
        before = (await database_sync_to_async(fresh)(self.match)).dice
        for socket, fields, code in [
            (carlos, {"end": self.white.end, "commit": self.white.commit}, "not_seated"),
            (ana, {"end": self.white.end}, "element"),
            (ana, {"end": {}, "commit": []}, "element"),
            (ana, {"nonce": "ab" * 32, "c": "ab" * 32}, "dice_early"),
            (ana, {"c": "ab" * 32, "seat": "black"}, "dice_early"),
            (ana, {}, "element"),
        ]:
            await self.give(socket, **fields)
            refusal = await self.receive(socket, "refused")
            assert refusal["code"] == code, fields
            assert refusal["text"]
        await ana.send_json_to({"t": "dice", "c": "ab" * 32})
        assert (await self.receive(ana, "refused"))["code"] == "bad_id"
        assert (await database_sync_to_async(fresh)(self.match)).dice == before
        await self.leave(ana, carlos)

    async def test_a_roll_order_is_private_and_the_roll_public(self) -> None:
        await database_sync_to_async(Match.objects.update)(clock_preset="days3")
        ana, bea, carlos = [await self.sit(user) for user in (self.ana, self.bea, self.carlos)]
        for socket, player in ((ana, self.white), (bea, self.black)):
            await self.give(socket, end=player.end, commit=player.commit)
            await self.receive(socket, "ack")
        for socket, player in ((ana, self.white), (bea, self.black)):
            await self.give(socket, nonce=player.nonce.hex(), c=player.chain.element(1).hex())
            await self.receive(socket, "ack")
        for socket in (bea, carlos):
            while not await self.state_with(socket, "black", "deposited"):
                pass
        await self.give(ana, order=False)
        assert (await self.receive(ana, "ack"))["version"] == 0
        assert await bea.receive_nothing()
        await self.give(ana, order=True, c=self.white.chain.element(1).hex())
        assert (await self.receive(ana, "ack"))["version"] == 1
        event = await self.receive(bea, "event")
        assert [(action["seat"], action["text"]) for action in event["actions"]] == [("white", "roll")]
        assert "order" not in event["dice"]["white"]
        assert event["dice"]["black"]["order"] is False
        assert "order" not in str((await self.receive(carlos, "event"))["dice"])
        await self.give(bea, order=1)
        assert (await self.receive(bea, "refused"))["code"] == "bad_frame"
        await self.leave(ana, bea, carlos)
