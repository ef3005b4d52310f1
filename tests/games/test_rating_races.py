"""Matches that end at the same moment, during a director's corrections. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from django.test import TransactionTestCase

from accounts.models import User
from games import dice, services
from games.errors import Refused
from games.models import Match, RatedMatch, RatingEvent, RatingPool
from tests.concurrency import at_once

MATCHES = 8


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class Races(TransactionTestCase):
    def setUp(self) -> None:
        self.ana, self.bea = (User.objects.create_user(name) for name in ("ana", "bea"))
        self.dora = User.objects.create_user("dora", is_staff=True)
        script: dict[str, list[tuple[int, int]]] = {}
        before = dice.replace_roller(
            lambda match_id, index, elements: script.setdefault(match_id, [(6, 5), (3, 1)]).pop()
        )
        self.addCleanup(dice.replace_roller, before)
        self.matches = [self.start_match() for _ in range(MATCHES)]

    def start_match(self) -> Match:
        """A rated match in which both have played."""
        seek = services.match_create(creator=self.ana, variant="backgammon", length=5, clock="club", rated=True)
        match = services.match_join(match_id=seek.pk, user=self.bea)
        for user, action in (
            *((self.ana, "roll"), (self.bea, "roll"), (self.ana, "8/5 6/5")),
            *((self.bea, "roll"), (self.bea, "24/18 18/13")),
        ):
            self.act(match, user, action)
        return match

    def act(self, match: Match, user: User, action: str) -> None:
        services.match_act(match_id=match.pk, user_id=user.pk, action=action, client_id=uuid4().hex)

    def resigning(self, match: Match, user: User) -> Callable[[], None]:
        return lambda: self.act(match, user, "resign match")

    def check(self, count: int) -> None:
        pool = RatingPool.objects.get()
        assert list(RatedMatch.objects.order_by("n").values_list("n", flat=True)) == list(range(1, count + 1))
        assert (pool.matches, RatingEvent.objects.count()) == (
            count,
            2 * RatedMatch.objects.filter(counts=True).count(),
        )
        assert services.pool_rebuild(pool_id=pool.pk, check=True) == []

    def test_matches_of_the_same_two_that_end_at_once_get_dense_numbers_and_the_first_makes_the_pool(self) -> None:
        at_once(*[self.resigning(each, (self.ana, self.bea)[i % 2]) for i, each in enumerate(self.matches)])
        self.check(MATCHES)

    def test_both_resign_at_once_and_the_match_is_rated_once(self) -> None:
        def resign(user: User) -> Callable[[], None]:
            def job() -> None:
                with suppress(Refused):
                    self.act(self.matches[0], user, "resign match")

            return job

        at_once(*[resign(self.ana), resign(self.bea)])
        self.check(1)

    def test_corrections_and_a_rebuild_while_matches_end(self) -> None:
        first, second, *others = self.matches
        for each in (first, second):
            self.act(each, self.ana, "resign match")
        pool = RatingPool.objects.get()

        def correcting(match: Match, *, counts: bool) -> Callable[[], Any]:
            return lambda: services.result_correct(
                match_id=match.pk, by=self.dora, winner="white", counts=counts, reason="they agreed"
            )

        at_once(
            *[
                *(self.resigning(each, self.bea) for each in others),
                *(correcting(first, counts=True), correcting(second, counts=False)),
                *(lambda: services.pool_rebuild(pool_id=pool.pk) for _ in range(2)),
                lambda: [services.match_rate_late(match_id=pk) for pk in services.matches_unrated()],
            ]
        )
        self.check(MATCHES)
