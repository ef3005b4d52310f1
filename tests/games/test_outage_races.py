"""Processes that start together after an outage, and an earlier action. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db.models import F
from django.test import TransactionTestCase

from accounts.models import User
from games import dice, services
from games.models import Match, SiteHeartbeat
from games.services import outage
from tests.concurrency import at_once

AWAY = timedelta(minutes=1)
PROCESSES = 4


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class OutageRaces(TransactionTestCase):
    def setUp(self) -> None:
        self.ana, self.bea = (User.objects.create_user(name) for name in ("ana", "bea"))
        seek = services.match_create(creator=self.ana, variant="backgammon", length=5, clock="club", rated=True)
        self.match = services.match_join(match_id=seek.pk, user=self.bea)
        before = dice.replace_roller(lambda match_id, index, elements: (3, 1))
        self.addCleanup(dice.replace_roller, before)
        for user in (self.ana, self.bea):
            self.act(user, "roll")
        outage.beat()
        # A minute ago everything stopped.
        SiteHeartbeat.objects.update(at=F("at") - AWAY, since=F("since") - AWAY)
        Match.objects.update(clock_at=F("clock_at") - AWAY, flag_at=F("flag_at") - AWAY)

    def act(self, user: User, action: str) -> None:
        services.match_act(match_id=self.match.pk, user_id=user.pk, action=action, client_id=f"{user.pk}-{len(action)}")

    def beats(self) -> list[int]:
        return sorted(at_once(*[outage.beat] * PROCESSES))

    def flag_at(self) -> datetime:
        flag_at = Match.objects.get(pk=self.match.pk).flag_at
        assert flag_at is not None
        return flag_at

    def test_processes_that_start_together_return_the_time_once(self) -> None:
        before = self.flag_at()
        assert self.beats() == [0] * (PROCESSES - 1) + [1]
        assert AWAY <= self.flag_at() - before < AWAY + timedelta(seconds=10)

    def test_an_earlier_action_is_not_compensated_twice(self) -> None:
        self.act(self.ana, "8/5 6/5")
        match = Match.objects.get(pk=self.match.pk)
        assert match.clock is not None
        assert match.clock["white"] == 600_000
        before = self.flag_at()
        self.beats()
        assert self.flag_at() - before < timedelta(seconds=10)
