"""Many hands at one desk: each thing happens once. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import TransactionTestCase

from accounts.models import User
from games import services as play
from games.models import Match
from tests.tournaments.conftest import terms
from tournaments import services
from tournaments.errors import Refused
from tournaments.models import Meeting, Tournament, TournamentEvent
from tournaments.tasks import sweep_tournaments

HANDS = 6


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class Races(TransactionTestCase):
    """ana and bea are alone in a tournament of dora's that has begun."""

    def setUp(self) -> None:
        self.ana, self.bea, self.dora = (User.objects.create_user(name) for name in ("ana", "bea", "dora"))
        self.tournament = services.tournament_create(creator=self.dora, name="Jueves", terms=terms(lengths=[1]))

    def begin(self) -> Match:
        for user in (self.ana, self.bea):
            services.entrant_register(tournament_id=self.tournament.pk, user=user)
        services.tournament_start(tournament_id=self.tournament.pk, user=self.dora)
        match = Meeting.objects.get(tournament=self.tournament).match
        assert match is not None
        return match

    def at_once(self, *jobs: Callable[[], Any]) -> list[Any]:
        """Run every job in a thread of its own, all released together; answers, or the codes of refusals."""
        gate = Barrier(len(jobs))

        def run(job: Callable[[], Any]) -> Any:
            gate.wait(timeout=10)
            try:
                return job()
            except Refused as refusal:
                return refusal.code
            finally:
                connection.close()

        with ThreadPoolExecutor(len(jobs)) as pool:
            return list(pool.map(run, jobs))

    def check_rows(self) -> list[str]:
        """The kinds of the events, whose numbers have no gap."""
        rows = list(TournamentEvent.objects.filter(tournament=self.tournament).values_list("n", "kind"))
        assert [n for n, _ in rows] == list(range(1, len(rows) + 1))
        assert Tournament.objects.get().version == len(rows)
        return [kind for _, kind in rows]

    def test_the_end_of_a_match_is_taken_once_by_the_signal_and_by_all_sweeps(self) -> None:
        match = self.begin()
        for user in (self.ana, self.bea):
            play.match_arrive(match_id=match.pk, user=user)
        jobs: list[Callable[[], Any]] = [lambda: services.match_over(match_id=match.pk)] * HANDS
        play.match_act(match_id=match.pk, user_id=self.ana.pk, action="resign match", client_id="a-1")
        self.at_once(*jobs, sweep_tournaments, sweep_tournaments)
        assert self.check_rows().count("result") == 1

    def test_one_place_is_given_once(self) -> None:
        services.tournament_change(tournament_id=self.tournament.pk, user=self.dora, capacity=2)
        people = [User.objects.create_user(f"late{i}") for i in range(HANDS)]
        enter = services.entrant_register
        jobs = [lambda user=user: enter(tournament_id=self.tournament.pk, user=user) for user in people]
        answers = self.at_once(*jobs)
        assert answers.count("full") == HANDS - 2
        assert self.check_rows().count("registered") == 2

    def test_a_tournament_is_started_once(self) -> None:
        for user in (self.ana, self.bea):
            services.entrant_register(tournament_id=self.tournament.pk, user=user)
        start = lambda: services.tournament_start(tournament_id=self.tournament.pk, user=self.dora)  # noqa: E731
        self.at_once(*[start] * HANDS)
        assert self.check_rows().count("started") == 1
        assert Match.objects.count() == 1

    def test_the_board_the_director_and_a_withdrawal_agree_on_one_result(self) -> None:
        match = self.begin()
        for user in (self.ana, self.bea):
            play.match_arrive(match_id=match.pk, user=user)
        said = {"tournament_id": self.tournament.pk}
        self.at_once(
            lambda: play.match_act(match_id=match.pk, user_id=self.ana.pk, action="resign match", client_id="a-1"),
            lambda: services.result_enter(**said, user=self.dora, key="main-1-1", winner=1, points=(1, 0)),
            lambda: services.entrant_withdraw(**said, user=self.bea, number=2),
        )
        sweep_tournaments()
        kinds = self.check_rows()
        assert kinds.count("finished") == 1
        match.refresh_from_db()
        assert match.status == "over"
