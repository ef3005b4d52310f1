"""Many writers on one roll: the promised dice are rolled once. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.test import TransactionTestCase

from accounts.models import User
from games import services
from games.dice import match_dice
from games.engine import SIDES
from games.errors import Refused
from games.events import state_of
from games.models import Action, Match
from games.services import dice_chains
from tests import concurrency
from tests.games.dice.seats import Player, fresh, next_roll, play, script_result, shake

WRITERS = 8
at_once = partial(concurrency.at_once, refused=Refused)


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class RollsAtOnce(TransactionTestCase):
    def setUp(self) -> None:
        self.seats = [
            Player(User.objects.create_user(name), side)  # type: ignore[arg-type]
            for name, side in (("ana", "white"), ("bea", "black"))
        ]
        ana, bea = (player.user for player in self.seats)
        seek = services.match_create(creator=ana, variant="backgammon", length=1, clock="none", rated=True)
        self.match = services.match_join(match_id=seek.pk, user=bea)

    def test_two_tabs_and_their_retries_roll_once_and_as_promised(self) -> None:
        match = play(self.match, self.seats, until=lambda match, state: state.position.turn in SIDES)
        turn = state_of(match).position.turn
        other = next(player for player in self.seats if player.side != turn)
        match = play(match, self.seats, until=lambda match, state: "roll" in state.may(other.side))
        c = other.c(match)
        put = match_dice.restore(match.dice).rolled(other.side, c)
        promised = next_roll(Match(pk=match.pk, roll_index=match.roll_index, dice=put.snapshot()), other.side)

        def roll(tab: int) -> Callable[[], int]:
            return lambda: other.act(match, "roll", client_id=f"tab-{tab}", element=c, after=match.version)

        answers = at_once(*[roll(number % 2) for number in range(WRITERS)])
        assert sorted(map(str, answers)).count("stale") == WRITERS // 2
        assert len({answer for answer in answers if answer != "stale"}) == 1
        rows = Action.objects.filter(match=match, actor="chance").order_by("-n")
        assert (rows[0].text, rows[0].element) == ("dice {}{}".format(*promised.dice), promised.s)
        assert fresh(match).roll_index == match.roll_index + 1
        assert script_result(match) == (None, set())

    def test_both_open_at_once_and_the_opening_is_rolled_once(self) -> None:
        shake(self.match, self.seats)
        jobs = [lambda player=player: player.act(self.match, "roll", client_id="one") for player in self.seats] * 3
        answers = at_once(*jobs)
        assert all(isinstance(answer, int) for answer in answers)
        assert fresh(self.match).roll_index == 1
        assert script_result(self.match) == (None, set())

    def test_both_commit_at_once_and_no_commitment_is_lost(self) -> None:
        at_once(*[lambda player=player: player.commit_opening(self.match) for player in self.seats] * 2)
        at_once(*[lambda player=player: player.reveal(self.match) for player in self.seats] * 2)
        dice = fresh(self.match).dice
        assert [dice[player.side]["nonce"] for player in self.seats] == [player.nonce.hex() for player in self.seats]
        assert [bool(dice[player.side]["deposit"]) for player in self.seats] == [True, True]

    def test_two_matches_that_begin_at_once_never_share_a_chain(self) -> None:
        dice_chains.prepare()
        ana, bea = (player.user for player in self.seats)
        seeks = [
            services.match_create(creator=ana, variant="backgammon", length=1, clock="none", rated=True)
            for _ in range(4)
        ]
        at_once(*[lambda pk=seek.pk: len(services.match_join(match_id=pk, user=bea).pk) for seek in seeks])
        assert len({fresh(seek).dice["s0"] for seek in seeks}) == 4
