"""Batches of several processes at the same matches: real row locks (PostgreSQL)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase

from accounts.models import User
from games import dice, services
from games.errors import Refused
from games.events import state_of
from games.live import group_commit
from games.live.group_commit import commit_batch
from games.live.ordinary_act import ActRequest
from games.models import Action, Match
from tests import concurrency
from tests.replayed_state import replayed_state

PROCESSES = 3


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class BatchRaces(TransactionTestCase):
    def setUp(self) -> None:
        group_commit.forget()
        self.ana, self.bea = (User.objects.create_user(name) for name in ("ana", "bea"))
        before = dice.replace_roller(lambda match_id, index, elements: (3, 1))
        self.addCleanup(dice.replace_roller, before)
        self.matches = [self.begun() for _ in range(4)]

    def begun(self) -> Match:
        """A match in which Ana has won the opening with 3-1."""
        seek = services.match_create(creator=self.ana, variant="backgammon", length=5, clock="club", rated=False)
        match = services.match_join(match_id=seek.pk, user=self.bea)
        for user in (self.ana, self.bea):
            services.match_act(match_id=match.pk, user_id=user.pk, action="roll", client_id=f"open-{user.pk}")
        return match

    def move(self, match: Match, client_id: str) -> ActRequest:
        return ActRequest(match.pk, self.ana.pk, "8/5 6/5", client_id, 3, "", 0)

    def versions(self, requests: list[ActRequest]) -> list[int | None]:
        try:
            return [None if act is None else act.match.version for act in commit_batch(requests)]
        finally:
            connection.close()

    def check_rows(self) -> None:
        for match in self.matches:
            match.refresh_from_db()
            assert list(Action.objects.filter(match=match).values_list("n", flat=True)) == [1, 2, 3, 4]
            assert replayed_state(match) == state_of(match)

    def test_the_batches_of_three_processes_commit_each_act_once(self) -> None:
        batches = [[self.move(match, f"tab-{process}") for match in self.matches] for process in range(PROCESSES)]
        with ThreadPoolExecutor(PROCESSES) as threads:
            answers = list(threads.map(self.versions, batches))
        for number in range(len(self.matches)):
            assert sorted(map(str, (each[number] for each in answers))) == ["4", *["None"] * (PROCESSES - 1)]
        self.check_rows()

    def test_a_batch_and_an_act_alone_never_both_act(self) -> None:
        def alone(match: Match) -> str:
            wanted = self.move(match, "alone")
            return str(services.match_act(**wanted.as_parameters()).version)

        def batched(match: Match) -> str:
            [version] = self.versions([self.move(match, "batched")])
            return str(version)

        for match in self.matches:
            answers = concurrency.at_once(partial(alone, match), partial(batched, match), refused=Refused)
            assert sorted(answers) in (["4", "None"], ["4", "stale"])
        self.check_rows()

    def test_a_match_that_somebody_else_has_locked_holds_up_no_other(self) -> None:
        with transaction.atomic(), ThreadPoolExecutor(1) as thread:
            Match.objects.select_for_update().get(pk=self.matches[1].pk)
            requests = [self.move(match, "tab-1") for match in self.matches]
            answers = thread.submit(self.versions, requests).result(timeout=60)
        assert answers == [4, None, 4, 4]
