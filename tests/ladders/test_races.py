"""Many hands on one ladder: each thing happens once. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import TransactionTestCase

from accounts.clubs import services as clubs
from accounts.models import Membership, User
from games import services as play
from games.database import now
from games.errors import Refused
from games.models import Match
from ladders import services as ladders
from ladders.models import Ladder, LadderChallenge, LadderEvent, LadderPulse
from ladders.tasks import sweep_ladders
from tests import concurrency
from tests.ladders.conftest import arrive, give_up, kinds, order

HANDS = 6
at_once = partial(concurrency.at_once, refused=Refused)


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class Races(TransactionTestCase):
    """ana, bea and carlos on a ladder of dora's."""

    def setUp(self) -> None:
        self.ana, self.bea, self.carlos, self.dora = (
            User.objects.create_user(name) for name in ("ana", "bea", "carlos", "dora")
        )
        club = clubs.default_club_ensure()
        Membership.objects.create(club=club, user=self.dora, role=Membership.Role.OWNER)
        terms = {
            "name": "Torneo semanal del club",
            "kind": "challenge",
            "variant": "backgammon",
            "length": 3,
            "clock": "club",
        }
        self.ladder: Ladder = ladders.ladder_create(by=self.dora, club=club, **terms)  # type: ignore[arg-type]
        for user in (self.ana, self.bea, self.carlos):
            ladders.ladder_join(ladder_id=self.ladder.pk, user=user)
        LadderPulse.objects.create(pk=1, at=now())

    def call(self, challenger: User, defender: User) -> LadderChallenge:
        return ladders.challenge_make(ladder_id=self.ladder.pk, user=challenger, opponent=defender)

    def at_once(self, *jobs: Callable[[], Any]) -> list[str]:
        """Whether each was done: "done", or the codes of refusals."""
        return sorted(outcome if isinstance(outcome, str) else "done" for outcome in at_once(*jobs))

    def overdue(self, challenge: LadderChallenge) -> None:
        LadderChallenge.objects.filter(pk=challenge.pk).update(due_at=now() - timedelta(seconds=1))

    def test_of_two_challenges_to_one_player_one_stands(self) -> None:
        outcomes = self.at_once(lambda: self.call(self.bea, self.ana), lambda: self.call(self.carlos, self.ana))
        assert outcomes == ["done", "ladder_most_in"]
        assert order(self.ladder) == ["ana", "bea", "carlos"]

    def test_of_many_clicks_one_challenge_is_made(self) -> None:
        outcomes = self.at_once(*[lambda: self.call(self.bea, self.ana)] * HANDS)
        assert outcomes == ["done"] + ["ladder_called"] * (HANDS - 1)

    def test_many_sweeps_carry_a_deadline_out_once(self) -> None:
        self.overdue(self.call(self.bea, self.ana))
        assert self.at_once(*[sweep_ladders] * HANDS) == ["done"] * HANDS
        assert (kinds(self.ladder), order(self.ladder)) == (["challenged", "expired"], ["bea", "ana", "carlos"])

    def test_at_the_deadline_a_challenge_is_accepted_or_lost(self) -> None:
        made = self.call(self.bea, self.ana)
        self.overdue(made)
        outcomes = self.at_once(
            lambda: ladders.challenge_accept(challenge_id=made.pk, user=self.ana), sweep_ladders, sweep_ladders
        )
        made.refresh_from_db()
        if "ladder_challenge_over" in outcomes:
            assert (made.status, made.match, order(self.ladder)) == ("forfeit", None, ["bea", "ana", "carlos"])
        else:
            assert (made.status, order(self.ladder)) == ("accepted", ["ana", "bea", "carlos"])
            assert made.match is not None
        assert Match.objects.count() == ("ladder_challenge_over" not in outcomes)

    def test_a_result_reaches_the_ladder_once_however_many_bring_it(self) -> None:
        match = arrive(ladders.challenge_accept(challenge_id=self.call(self.carlos, self.ana).pk, user=self.ana))
        made = LadderChallenge.objects.get(match=match)
        self.overdue(made)
        reports = [lambda: ladders.match_over(match_id=match.pk)] * 3
        self.at_once(lambda: give_up(match, self.ana), sweep_ladders, sweep_ladders, *reports)
        sweep_ladders()
        assert LadderEvent.objects.filter(ladder=self.ladder, match=match).count() == 1
        assert (kinds(self.ladder)[-1], order(self.ladder)) == ("result", ["carlos", "ana", "bea"])

    def test_at_the_deadline_a_match_begins_or_is_lost(self) -> None:
        match = ladders.challenge_accept(challenge_id=self.call(self.carlos, self.ana).pk, user=self.ana)
        made = LadderChallenge.objects.get(match=match)
        play.match_arrive(match_id=match.pk, user=self.carlos)
        self.overdue(made)
        self.at_once(lambda: play.match_arrive(match_id=match.pk, user=self.ana), sweep_ladders, sweep_ladders)
        match.refresh_from_db()
        made.refresh_from_db()
        assert (match.status, made.status) in (("live", "accepted"), ("cancelled", "forfeit"))
        assert order(self.ladder)[0] == ("ana" if match.status == "live" else "carlos")

    def test_an_outage_is_given_back_once(self) -> None:
        made = self.call(self.bea, self.ana)
        LadderPulse.objects.update(at=now() - timedelta(days=3))
        self.at_once(*[sweep_ladders] * HANDS)
        made.refresh_from_db()
        assert (made.status, kinds(self.ladder)) == ("offered", ["challenged", "outage"])
