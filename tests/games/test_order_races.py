"""An order and the double that it is about, at once: the row lock decides which was first. Needs PostgreSQL."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import TransactionTestCase

from accounts.models import User
from games import dice, services
from games.errors import Refused
from games.events import state_of
from games.models import Action, Match
from tests import concurrency
from tests.replayed_state import replayed_state

ROUNDS = 6
at_once = partial(concurrency.at_once, refused=Refused)


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class OrdersAtOnce(TransactionTestCase):
    def setUp(self) -> None:
        self.ana, self.bea = (User.objects.create_user(name) for name in ("ana", "bea"))
        before = dice.replace_roller(lambda match_id, index, elements: (3, 1))
        self.addCleanup(dice.replace_roller, before)

    def to_double(self) -> Match:
        """bea is to roll or double, at version 4."""
        seek = services.match_create(creator=self.ana, variant="backgammon", length=5, clock="days3", rated=False)
        match = services.match_join(match_id=seek.pk, user=self.bea)
        for user, action in ((self.ana, "roll"), (self.bea, "roll"), (self.ana, "8/5 6/5")):
            self.act(match, user, action)
        return match

    def act(self, match: Match, user: User, action: str) -> int:
        client_id = f"{user.username}-{action.split('/')[0]}"
        return services.match_act(match_id=match.pk, user_id=user.pk, action=action, client_id=client_id).version

    def order(self, match: Match, text: str, client_id: str) -> int:
        about = {"match_id": match.pk, "user_id": self.ana.pk, "client_id": client_id}
        return services.match_order(order=text, after=4, **about).version

    def test_an_early_preset_answers_the_double_and_a_late_one_is_stale(self) -> None:
        for _ in range(ROUNDS):
            match = self.to_double()
            doubled, *ordered = at_once(
                lambda m=match: self.act(m, self.bea, "double"),  # type: ignore[misc]
                *[lambda m=match: self.order(m, "double drop", "page-1")] * 3,  # type: ignore[misc]
            )
            texts = list(Action.objects.filter(match=match).order_by("n").values_list("text", flat=True))[4:]
            assert set(ordered) in ({4}, {"stale"})
            assert (doubled, texts) == ((6, ["double", "drop"]) if ordered[0] == 4 else (5, ["double"]))
            match.refresh_from_db()
            assert replayed_state(match) == state_of(match)

    def test_a_preset_answer_withdrawn_in_time_is_not_carried_out(self) -> None:
        for _ in range(ROUNDS):
            match = self.to_double()
            self.order(match, "double take", "page-1")
            doubled, back = at_once(
                *[
                    lambda m=match: self.act(m, self.bea, "double"),  # type: ignore[misc]
                    lambda m=match: self.order(m, "double ask", "page-2"),  # type: ignore[misc]
                ]
            )
            answered = Action.objects.filter(match=match, text="take").exists()
            assert (doubled, back) == ((6, 6) if answered else (5, back))
