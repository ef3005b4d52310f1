"""A claim while the absent player acts; two resume requests at once. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase

from accounts.models import User
from games import dice, services
from games.database import now
from games.errors import Refused
from games.models import Match, Seat
from games.services import presence

LONG = timedelta(minutes=5)
ROUNDS = 5


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class Absence(TransactionTestCase):
    def setUp(self) -> None:
        self.ana, self.bea = (User.objects.create_user(name) for name in ("ana", "bea"))
        before = dice.replace_roller(lambda match_id, index, elements: (1, 3))
        self.addCleanup(dice.replace_roller, before)

    def begin(self) -> Match:
        """bea is to play 31, and was seen five minutes ago."""
        seek = services.match_create(creator=self.ana, variant="backgammon", length=5, clock="club", rated=True)
        match = services.match_join(match_id=seek.pk, user=self.bea)
        for user in (self.ana, self.bea):
            self.act(match, user, "roll")
        Match.objects.filter(pk=match.pk).update(started_at=now() - LONG)
        match.seats.update(seen_at=now() - LONG)
        match.actions.update(at=now() - LONG)
        return match

    def act(self, match: Match, user: User, action: str) -> None:
        services.match_act(match_id=match.pk, user_id=user.pk, action=action, client_id=f"{user.pk}-{len(action)}")

    def together(self, *steps: Callable[[], object]) -> list[str]:
        """The codes with which the steps were refused, empty for what was done; all begin at the same moment."""
        gate = Barrier(len(steps))

        def run(step: Callable[[], object]) -> str:
            gate.wait(timeout=60)
            try:
                step()
            except Refused as refusal:
                return refusal.code
            finally:
                connection.close()
            return ""

        with ThreadPoolExecutor(len(steps)) as pool:
            return list(pool.map(run, steps))

    def test_either_the_claim_or_the_play_of_the_returned_player_counts(self) -> None:
        for _ in range(ROUNDS):
            match = self.begin()
            claim = partial(services.match_claim, match_id=match.pk, user_id=self.ana.pk, client_id="page-1")
            codes = self.together(claim, partial(self.act, match, self.bea, "8/5 6/5"))
            assert codes in (["", "match_over"], ["not_away", ""]), codes
            match.refresh_from_db()
            assert (match.status, match.version) == (("over", 4) if codes[0] == "" else ("live", 4))

    def test_a_claim_that_is_sent_twice_counts_once(self) -> None:
        match = self.begin()
        claim = partial(services.match_claim, match_id=match.pk, user_id=self.ana.pk, client_id="page-1")
        assert self.together(claim, claim, claim) == ["", "", ""]
        assert match.actions.count() == 4

    def test_two_simultaneous_resume_requests_resume_once(self) -> None:
        for _ in range(ROUNDS):
            match = self.begin()
            services.match_adjourn(match_id=match.pk, user_id=self.ana.pk, client_id="page-1")
            steps = [partial(services.match_go_on, match_id=match.pk, user_id=user.pk) for user in (self.ana, self.bea)]
            assert self.together(*steps) == ["", ""]
            match.refresh_from_db()
            assert (match.pause, match.version) == (None, 5)

    def test_writing_presence_never_waits_for_a_lock(self) -> None:
        match, other = self.begin(), self.begin()
        for each in (match, other):
            presence.seat_seen(each.pk, self.ana.pk)
        with transaction.atomic():
            list(Seat.objects.select_for_update().filter(match=match))
            with ThreadPoolExecutor(1) as pool:
                assert pool.submit(self._write).result(timeout=60) == 1

    def _write(self) -> int:
        try:
            return presence.write()
        finally:
            connection.close()
