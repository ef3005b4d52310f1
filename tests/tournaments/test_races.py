"""Concurrent acts in one tournament: each takes effect once. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import TransactionTestCase

from accounts.errors import Refused  # of play and of tournaments
from accounts.models import User
from games import services as play
from games.models import Match, RatedMatch
from tests import concurrency
from tests.tournaments.conftest import fresh, terms
from tests.tournaments.site_matches import assert_ratings_match_logs, play_on_site
from tournaments import services, undo
from tournaments.models import Meeting, Tournament, TournamentEvent
from tournaments.services.transaction import load_events
from tournaments.tasks import sweep_tournaments

HANDS = 6
at_once = partial(concurrency.at_once, refused=Refused)


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class Races(TransactionTestCase):
    """ana and bea are alone in a tournament of dora's that has begun."""

    def setUp(self) -> None:
        self.ana, self.bea, self.dora = (User.objects.create_user(name) for name in ("ana", "bea", "dora"))
        self.tournament = services.tournament_create(
            creator=self.dora, name="Torneo semanal del club", terms=terms(lengths=[1])
        )

    def begin(self) -> Match:
        for user in (self.ana, self.bea):
            services.entrant_register(tournament_id=self.tournament.pk, user=user)
        services.tournament_start(tournament_id=self.tournament.pk, user=self.dora)
        match = Meeting.objects.get(tournament=self.tournament).match
        assert match is not None
        return match

    def check_rows(self) -> list[str]:
        """The kinds of the events, whose numbers have no gap."""
        rows = list(TournamentEvent.objects.filter(tournament=self.tournament).values_list("n", "kind"))
        assert [n for n, _ in rows] == list(range(1, len(rows) + 1))
        assert Tournament.objects.get().version == len(rows)
        return [kind for _, kind in rows]

    def test_the_signal_and_the_sweeps_record_a_result_once(self) -> None:
        match = self.begin()
        for user in (self.ana, self.bea):
            play.match_arrive(match_id=match.pk, user=user)
        jobs: list[Callable[[], Any]] = [lambda: services.match_result_record(match_id=match.pk)] * HANDS
        play.match_act(match_id=match.pk, user_id=self.ana.pk, action="resign match", client_id="a-1")
        at_once(*jobs, sweep_tournaments, sweep_tournaments)
        assert self.check_rows().count("result") == 1

    def test_the_last_place_is_given_once(self) -> None:
        services.tournament_update(tournament_id=self.tournament.pk, user=self.dora, capacity=2)
        people = [User.objects.create_user(f"late{i}") for i in range(HANDS)]
        enter = services.entrant_register
        jobs = [lambda user=user: enter(tournament_id=self.tournament.pk, user=user) for user in people]
        at_once(*jobs)
        outcomes = self.check_rows()
        assert (outcomes.count("registered"), outcomes.count("waited")) == (2, HANDS - 2)

    def test_a_tournament_is_started_once(self) -> None:
        for user in (self.ana, self.bea):
            services.entrant_register(tournament_id=self.tournament.pk, user=user)
        start = lambda: services.tournament_start(tournament_id=self.tournament.pk, user=self.dora)  # noqa: E731
        at_once(*[start] * HANDS)
        assert self.check_rows().count("started") == 1
        assert Match.objects.count() == 1

    def test_a_match_a_director_and_a_withdrawal_record_one_result(self) -> None:
        match = self.begin()
        for user in (self.ana, self.bea):
            play.match_arrive(match_id=match.pk, user=user)
        shared = {"tournament_id": self.tournament.pk}
        at_once(
            lambda: play.match_act(match_id=match.pk, user_id=self.ana.pk, action="resign match", client_id="a-1"),
            lambda: services.result_enter(**shared, user=self.dora, key="main-1-1", winner=1, points=(1, 0)),
            lambda: services.entrant_withdraw(**shared, user=self.bea, number=2),
        )
        sweep_tournaments()
        kinds = self.check_rows()
        assert kinds.count("finished") == 1
        match.refresh_from_db()
        assert match.status == "over"

    # Two directors at two phones

    def played(self) -> tuple[Match, int]:
        """A rated match that ana won on its board, and the act of its result; eva directs with dora."""
        services.tournament_update(tournament_id=self.tournament.pk, user=self.dora, terms=rated())
        self.eva = User.objects.create_user("eva")
        services.director_add(tournament_id=self.tournament.pk, user=self.dora, director=self.eva)
        self.begin()
        match = play_on_site(self.tournament, "main-1-1", self.ana)
        return match, max(undo.head_events(load_events(self.tournament)))

    def check_counts(self, match: Match) -> None:
        """The ratings, and the winner of the match, are what the tournament says."""
        result = fresh(self.tournament).by_key["main-1-1"].result
        counts = result is not None and result.match == match.pk and result.how == "played"
        assert RatedMatch.objects.get(match=match).counts == counts
        if result is not None and result.winner is not None and counts:
            users = {1: self.ana.pk, 2: self.bea.pk}
            assert match.seats.get(won=True).user_id == users[result.winner]
        assert_ratings_match_logs()

    def test_two_directors_undo_the_same_act_once_and_redo_it_once(self) -> None:
        match, act = self.played()
        shared: dict[str, Any] = {"tournament_id": self.tournament.pk, "act": act}
        for service, code in ((services.act_undo, "undone_already"), (services.act_redo, "not_undone")):
            hands = [self.dora, self.eva] * 3
            outcomes = at_once(*[lambda user=user, do=service: do(user=user, **shared) for user in hands])
            assert sorted(outcomes, key=str) == [None, *[code] * 5]
            self.check_counts(match)
        assert (self.check_rows().count("undone"), self.check_rows().count("redone")) == (1, 1)
        assert Match.objects.filter(status="open").count() == 0

    def test_two_directors_correct_differently_and_another_undoes_meanwhile(self) -> None:
        match, act = self.played()
        shared: dict[str, Any] = {"tournament_id": self.tournament.pk, "key": "main-1-1", "why": "Seen"}
        outcomes = at_once(
            lambda: services.result_correct(user=self.dora, winner=2, points=(0, 1), **shared),
            lambda: services.result_correct(user=self.eva, winner=2, points=(0, 1), **shared),
            lambda: services.result_correct(user=self.eva, winner=None, how="walkover", **shared),
            lambda: services.act_undo(tournament_id=self.tournament.pk, user=self.dora, act=act),
        )
        assert set(outcomes) <= {None, "same_result", "no_result_yet", "not_running", "by_itself", "report_score"}
        assert None in outcomes
        self.check_rows()
        self.check_counts(match)

    def test_exactly_the_agreed_pairings_are_reset_or_the_director_is_asked_again(self) -> None:
        """The first round is corrected while the second begins: it is reset by agreement only."""
        made = services.tournament_create(creator=self.dora, name="Martes", terms=terms(lengths=[1]))
        for number in range(4):
            services.entrant_add(tournament_id=made.pk, user=self.dora, name=f"W{number}")
        services.tournament_start(tournament_id=made.pk, user=self.dora)
        shared: dict[str, Any] = {"tournament_id": made.pk, "user": self.dora}
        for key, winner in (("main-1-1", 1), ("main-1-2", 2)):
            services.result_enter(**shared, key=key, winner=winner)
        outcomes = at_once(
            lambda: services.result_correct(**shared, key="main-1-1", winner=4, why="Seen"),
            lambda: services.result_enter(**shared, key="main-2-1", winner=1) and None,
        )
        final = fresh(made).by_key["main-2-1"]
        assert outcomes in ([None, "report_winner"], ["affected", None])
        assert (final.entrants, final.winner) == (((4, 2), None) if outcomes[0] is None else ((1, 2), 1))


def rated() -> Any:
    return terms(lengths=[1], rated=True, clock="club")


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class ArenaRaces(TransactionTestCase):
    """Seven players of an arena that runs."""

    def setUp(self) -> None:
        self.dora = User.objects.create_user("dora")
        config = {"minutes": 20}
        chosen = terms("arena", config=config, clock="blitz", lengths=[1], venue="online")
        self.tournament = services.tournament_create(creator=self.dora, name="Arena", terms=chosen)
        self.players = [User.objects.create_user(f"p{n}") for n in range(1, 8)]
        for user in self.players:
            services.entrant_register(tournament_id=self.tournament.pk, user=user)
        services.tournament_start(tournament_id=self.tournament.pk, user=self.dora)

    def in_play(self) -> list[int]:
        """The entrants of all matches that are not over, one for each seat."""
        ready = Meeting.objects.filter(tournament=self.tournament, state="ready").values_list("a__number", "b__number")
        return [number for pair in ready for number in pair]

    def test_two_sweeps_at_once_pair_nobody_twice(self) -> None:
        at_once(*[lambda: services.arena_due(tournament_id=self.tournament.pk)] * HANDS)
        assert sorted(self.in_play()) == [1, 2, 3, 4, 5, 6]
        assert Match.objects.count() == 3

    def test_a_pause_and_sweeps_at_once_leave_the_player_in_one_match_or_none(self) -> None:
        pause = services.arena_pause
        jobs = [
            lambda user=user, n=n: pause(tournament_id=self.tournament.pk, user=user, number=n)
            for n, user in enumerate(self.players[:3], 1)
        ]
        at_once(*jobs, *[lambda: services.arena_due(tournament_id=self.tournament.pk)] * 3)
        seated = self.in_play()
        assert len(seated) == len(set(seated))
        assert Match.objects.count() == len(seated) // 2
        assert fresh(self.tournament).paused == {1, 2, 3}
