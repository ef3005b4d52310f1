"""A play is taken back over the socket: its player and who watches see it at once."""

from __future__ import annotations

from accounts.users import services as user_services
from games import services
from tests.games.match_sockets import TableCase


class TakeBackCase(TableCase):
    def setUp(self) -> None:
        super().setUp()
        self.bot = user_services.house_bot_ensure()
        terms = {"variant": "backgammon", "length": 5, "clock": "none", "rated": False}
        self.match = services.match_create(creator=self.ana, invited=self.bot, **terms)  # type: ignore[arg-type]
        for n, (user, action) in enumerate([(self.ana, "roll"), (self.bot, "roll"), (self.ana, "24/20")]):
            services.match_act(match_id=self.match.pk, user_id=user.pk, action=action, client_id=f"act-{n}")

    async def test_a_play_is_taken_back_once(self) -> None:
        ana, carlos = await self.sit(self.ana), await self.sit(self.carlos)
        state = await self.receive(ana, "state")
        assert "take-back 4" in state["may"]
        assert (await self.receive(carlos, "state"))["may"] == []
        await ana.send_json_to({"t": "act", "id": "tab-1", "after": 3, "action": "take-back 4"})
        event = await self.receive(ana, "event")
        assert [(action["seat"], action["text"]) for action in event["actions"]] == [("white", "take-back 4")]
        assert (event["position"]["turn"], event["position"]["dice"]) == ("white", [3, 1])
        assert (event["last"], event["match"]["taken_back"]) == (None, 1)
        assert event["position"]["tree"]
        seen = await self.receive(carlos, "event")
        assert (seen["position"]["board"], seen["position"]["tree"]) == (event["position"]["board"], None)
        await ana.send_json_to({"t": "act", "id": "tab-2", "after": 5, "action": "take-back 4"})
        refused = await self.receive(ana, "refused")
        assert (refused["code"], refused["ruling"]) == ("take_back_none", "B17")
        await ana.disconnect()
        await carlos.disconnect()
