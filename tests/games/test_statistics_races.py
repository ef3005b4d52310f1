"""Several workers count at once: every roll once, and no deadlock. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import TransactionTestCase

from accounts.models import User
from games import services
from games.models import Match, RollCount, SeatFacts
from tests.concurrency import at_once
from tests.games.finished_matches import keep, sample

WORKERS = 6


@pytest.mark.postgres
class Races(TransactionTestCase):
    def setUp(self) -> None:
        self.ana, self.bea = (User.objects.create_user(name) for name in ("ana", "bea"))

    def at_once(self, matches: list[Match]) -> list[bool]:
        """Count all of these matches at the same moment."""
        return at_once(*(partial(services.facts_make, match_id=match.pk) for match in matches))

    def rolls(self, user: User) -> int:
        return sum(RollCount.objects.filter(user=user).values_list("count", flat=True))

    def test_one_match_is_counted_once_by_any_number_of_workers(self) -> None:
        match = keep(sample("m10.mat"), self.ana, self.bea)
        assert self.at_once([match] * WORKERS) == [True] * WORKERS
        assert SeatFacts.objects.count() == 2
        assert (self.rolls(self.ana), self.rolls(self.bea)) == (29, 28)

    def test_matches_of_the_same_two_players_add_up(self) -> None:
        pairs = [(self.ana, self.bea), (self.bea, self.ana)] * (WORKERS // 2)
        matches = [keep(sample("m10.mat"), *pair) for pair in pairs]
        assert self.at_once(matches) == [True] * WORKERS
        assert self.rolls(self.ana) == self.rolls(self.bea) == (29 + 28) * WORKERS // 2
