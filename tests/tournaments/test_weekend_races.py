"""Tournaments of a weekend that act at the same time on their shared boards. Needs real row locks (PostgreSQL)."""

from __future__ import annotations

from functools import partial

import pytest
from django.test import TransactionTestCase

from accounts.errors import Refused  # of play and of tournaments
from accounts.models import User
from tests import concurrency
from tests.tournaments.conftest import terms
from tests.tournaments.weekend_stage import weekend_of
from tournaments import services
from tournaments.boards import Boards, Room
from tournaments.models import Meeting, Tournament
from tournaments.services.weekend_people import weekend_boards_set, weekend_person_add

HANDS = 4
at_once = partial(concurrency.at_once, refused=Refused)


@pytest.mark.postgres
@pytest.mark.usefixtures("valkey")
class WeekendRaces(TransactionTestCase):
    """Several tournaments of two walk-ins each, and one board for all of them."""

    def setUp(self) -> None:
        self.dora = User.objects.create_user("dora")
        self.tournaments = [self._tournament(n) for n in range(HANDS)]
        self.weekend = weekend_of(self.dora, *self.tournaments)
        self.ids = [tournament.pk for tournament in self.tournaments]
        one = Boards((Room("", 1, 1),))
        weekend_boards_set(weekend_id=self.weekend.pk, user=self.dora, tournament_ids=self.ids, boards=one)

    def _tournament(self, n: int) -> Tournament:
        made = services.tournament_create(creator=self.dora, name=f"T{n}", terms=terms(venue="board"))
        for name in ("A", "B"):
            services.entrant_add(tournament_id=made.pk, user=self.dora, name=f"{name}{n}")
        return made

    def at_the_board(self) -> list[str]:
        return list(Meeting.objects.filter(board=1).values_list("tournament_id", flat=True))

    def test_a_board_is_given_once_and_passed_on_until_all_have_played(self) -> None:
        start = services.tournament_start
        at_once(*(partial(start, tournament_id=pk, user=self.dora) for pk in self.ids))
        played = []
        for _number in self.ids:
            (pk,) = self.at_the_board()
            played.append(pk)
            services.result_enter(tournament_id=pk, user=self.dora, key="main-1-1", winner=1)
        assert sorted(played) == sorted(self.ids)
        assert self.at_the_board() == []

    def test_entering_in_all_tournaments_and_starting_them_end_without_a_deadlock(self) -> None:
        add = partial(weekend_person_add, weekend_id=self.weekend.pk, user=self.dora, tournament_ids=self.ids)
        start = services.tournament_start
        at_once(
            *(partial(add, name=f"P{n}") for n in range(HANDS)),
            *(partial(start, tournament_id=pk, user=self.dora) for pk in reversed(self.ids)),
        )
        assert len(self.at_the_board()) == 1
