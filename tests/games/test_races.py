"""Many writers on one turn: exactly one wins. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.db import connection
from django.test import TransactionTestCase

from accounts.models import User
from games import dice, services
from games.errors import Refused
from games.events import state_of
from games.models import Action, Match
from tests import concurrency
from tests.replayed_state import replayed_state

WRITERS = 8
at_once = partial(concurrency.at_once, refused=Refused)


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class Races(TransactionTestCase):
    def setUp(self) -> None:
        self.ana, self.bea = (User.objects.create_user(name) for name in ("ana", "bea"))
        seek = services.match_create(creator=self.ana, variant="backgammon", length=5, clock="club", rated=True)
        self.match = services.match_join(match_id=seek.pk, user=self.bea)
        script = [(3, 1)]
        before = dice.replace_roller(lambda match_id, index, elements: script.pop(0) if script else (6, 5))
        self.addCleanup(dice.replace_roller, before)
        for user in (self.ana, self.bea):
            self.act(user, "roll", f"open-{user.pk}")

    def act(self, user: User, action: str, client_id: str, after: int | None = None) -> int:
        return services.match_act(
            match_id=self.match.pk, user_id=user.pk, action=action, client_id=client_id, after=after
        ).version

    def at_once(self, jobs: list[tuple[User, str, str, int | None]]) -> list[int | str]:
        """The versions after these acts, or the codes of refusals."""
        return at_once(*(partial(self.act, *job) for job in jobs))

    def check_rows(self) -> None:
        numbers = list(Action.objects.filter(match=self.match).values_list("n", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))
        match = Match.objects.get(pk=self.match.pk)
        assert match.version == len(numbers)
        assert replayed_state(match) == state_of(match)

    def test_of_eight_actions_on_one_turn_one_wins_and_the_others_are_stale(self) -> None:
        answers = self.at_once([(self.ana, "8/5 6/5", f"tab{i}-1", 3) for i in range(WRITERS)])
        assert sorted(map(str, answers)) == ["4"] + ["stale"] * (WRITERS - 1)
        self.check_rows()

    def test_eight_retries_of_one_action_have_one_effect_and_one_answer(self) -> None:
        assert self.at_once([(self.ana, "8/5 6/5", "tab-1", 3)] * WRITERS) == [4] * WRITERS
        self.check_rows()

    def test_both_players_at_once_never_both_act(self) -> None:
        jobs: list[tuple[User, str, str, int | None]] = []
        for i in range(WRITERS // 2):
            jobs += [(self.ana, "8/5 6/5", f"a{i}", 3), (self.bea, "roll", f"b{i}", 3)]
        answers = self.at_once(jobs)
        assert [a for a in answers if isinstance(a, int)] == [4]
        self.check_rows()

    def test_two_players_cannot_take_one_seat(self) -> None:
        seek = services.match_create(creator=self.ana, variant="backgammon", length=3, clock="club", rated=False)
        others = [User.objects.create_user(f"late{i}") for i in range(4)]
        gate = Barrier(len(others))

        def join(user: User) -> str:
            gate.wait(timeout=60)
            try:
                services.match_join(match_id=seek.pk, user=user)
            except Refused as refusal:
                return refusal.code
            finally:
                connection.close()
            return "joined"

        with ThreadPoolExecutor(len(others)) as pool:
            assert sorted(pool.map(join, others)) == ["joined"] + ["not_open"] * 3
        assert Match.objects.get(pk=seek.pk).seats.count() == 2

    def test_two_players_who_arrive_at_once_begin_their_match_once(self) -> None:
        match = services.match_arrange(white=self.ana, black=self.bea, variant="backgammon", length=5, clock="club")
        gate = Barrier(WRITERS)

        def arrive(user: User) -> str:
            gate.wait(timeout=60)
            try:
                return services.match_arrive(match_id=match.pk, user=user).pk
            finally:
                connection.close()

        with ThreadPoolExecutor(WRITERS) as pool:
            assert set(pool.map(arrive, [self.ana, self.bea] * (WRITERS // 2))) == {match.pk}
        match.refresh_from_db()
        assert (match.status, match.version, match.games.count()) == ("live", 0, 1)
        assert all(seat.arrived_at for seat in match.seats.all())

    def test_a_match_is_cancelled_once_while_its_players_act(self) -> None:
        Match.objects.filter(pk=self.match.pk).update(arranged=True)
        gate = Barrier(WRITERS)

        def run(number: int) -> str:
            gate.wait(timeout=60)
            try:
                if number % 2:
                    return services.match_call_off(match_id=self.match.pk).ended_by
                return str(self.act(self.ana, "8/5 6/5", "tab-1", 3))
            except Refused as refusal:
                return refusal.code
            finally:
                connection.close()

        with ThreadPoolExecutor(WRITERS) as pool:
            answers = set(pool.map(run, range(WRITERS)))
        assert answers <= {"stopped", "4", "stale"}
        assert Action.objects.filter(match=self.match, text="stop").count() == 1
        self.check_rows()

    def test_a_flag_falls_once_however_many_sweeps_run(self) -> None:
        match = Match.objects.get(pk=self.match.pk)
        Match.objects.filter(pk=match.pk).update(flag_at=match.created_at, clock_at=match.created_at)
        gate = Barrier(WRITERS)

        def touch(_: int) -> int:
            gate.wait(timeout=60)
            try:
                return services.match_touch(match_id=match.pk)
            finally:
                connection.close()

        with ThreadPoolExecutor(WRITERS) as pool:
            assert set(pool.map(touch, range(WRITERS))) == {4}
        assert Action.objects.filter(match=match, text__startswith="flag").count() == 1
