"""Matches by correspondence: days a turn, reminders, days away (ruling "Match clock")."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import notify, services
from games.errors import Refused
from games.models import Action, Match
from games.selectors import lists
from games.services import Answer
from tests.games.hands_of_time import Time

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]


@pytest.fixture
def waiting(time: Time, open_table: Open) -> Match:
    """A match at three days a turn before its opening roll."""
    return open_table(clock="days3", rated=False)


@pytest.fixture
def opened(waiting: Match, act: Act, thrown: Dice, ana: User, bea: User) -> Match:
    """ana is to play 31, within three days."""
    thrown.append((3, 1))
    act(waiting, ana, "roll")
    act(waiting, bea, "roll")
    return waiting


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, dict[str, Any]]]:
    """What was said to whom."""
    said: list[tuple[int, dict[str, Any]]] = []
    monkeypatch.setattr(notify, "user_told", lambda user_id, message: said.append((user_id, message)))
    return said


def days(match: Match, time: Time) -> float | None:
    """Days to the deadline."""
    flag_at = Match.objects.get(pk=match.pk).flag_at
    return None if flag_at is None else (flag_at - time.moment) / timedelta(days=1)


class TestTurn:
    def test_every_turn_has_its_days(self, opened: Match, time: Time, act: Act, ana: User, bea: User) -> None:
        assert days(opened, time) == 3
        time(days=2)
        act(opened, ana, "8/5 6/5")
        assert days(opened, time) == 3
        time(days=1)
        act(opened, bea, "roll")
        assert days(opened, time) == 2  # rolling and moving are one turn

    def test_the_days_over_the_match_is_lost(self, opened: Match, time: Time) -> None:
        time(days=3)
        services.match_touch(match_id=opened.pk)
        match = Match.objects.get(pk=opened.pk)
        assert (match.ended_by, match.winner) == ("flag", "black")

    @pytest.mark.parametrize(("variant", "length"), [("damas", 1), ("acey-deucey", 15)])
    def test_other_games_can_be_played_so(self, time: Time, open_table: Open, variant: str, length: int) -> None:
        match = open_table(variant=variant, length=length, clock="days7", rated=False)
        assert days(match, time) == 7


class TestOpening:
    def test_the_days_run_for_the_seat_that_has_not_rolled(
        self, waiting: Match, time: Time, act: Act, ana: User
    ) -> None:
        time(days=1)
        act(waiting, ana, "roll")
        assert days(waiting, time) == 2
        time(days=2)
        services.match_touch(match_id=waiting.pk)
        assert Match.objects.get(pk=waiting.pk).winner == "white"

    def test_nobody_loses_when_both_stayed_away(self, waiting: Match, time: Time, thrown: Dice) -> None:
        thrown.append((6, 2))
        time(days=3)
        services.match_touch(match_id=waiting.pk)
        assert [row.text for row in Action.objects.filter(match=waiting)] == ["hold white", "hold black", "dice 62"]
        assert days(waiting, time) == 3

    @pytest.mark.parametrize(("variant", "length"), [("damas", 2), ("acey-deucey", 15)])
    def test_where_a_flag_costs_a_game_it_does_so_before_its_first_roll(
        self, time: Time, open_table: Open, act: Act, ana: User, variant: str, length: int
    ) -> None:
        match = open_table(variant=variant, length=length, clock="days1", rated=False)
        act(match, ana, "roll")
        time(days=1)
        services.match_touch(match_id=match.pk)
        match.refresh_from_db()
        assert match.seats.get(side="white").points > 0


class TestReminder:
    def test_a_player_is_told_once_a_day_before_the_end(
        self, opened: Match, time: Time, told: list[tuple[int, dict[str, Any]]], ana: User
    ) -> None:
        time(days=2, seconds=-1)
        assert services.reminders_send() == 0
        time(seconds=1)
        assert (services.reminders_send(), services.reminders_send()) == (1, 0)
        word = {"t": "remind", "id": opened.pk, "url": f"/match/{opened.pk}/", "from": "bea"}
        assert told == [(ana.pk, word)]

    def test_a_page_that_missed_it_hears_it(self, opened: Match, time: Time, ana: User, bea: User) -> None:
        since = lists.milliseconds(time(days=2, seconds=-30))
        time(seconds=60)
        assert [word["t"] for word in lists.missed(user_id=ana.pk, since=since)[0]] == ["remind", "notice"]
        assert [word["t"] for word in lists.missed(user_id=bea.pk, since=since)[0]] == ["notice"]

    def test_who_has_played_is_not_reminded(self, opened: Match, time: Time, act: Act, ana: User, bea: User) -> None:
        act(opened, ana, "8/5 6/5")
        act(opened, bea, "resign match", after=Match.objects.get(pk=opened.pk).version)
        time(days=2)
        assert services.reminders_send() == 0

    def test_a_day_a_turn_needs_none(self, time: Time, open_table: Open) -> None:
        assert open_table(clock="days1", rated=False).remind_at is None


class TestVacation:
    def test_while_a_player_is_away_his_days_stand(
        self, opened: Match, time: Time, act: Act, ana: User, bea: User
    ) -> None:
        time(days=1)
        services.vacation_begin(user=ana, days=10)
        assert days(opened, time) == 12
        time(days=4)
        act(opened, ana, "8/5 6/5")  # he may play all the same
        assert days(opened, time) == 3  # bea is here
        act(opened, bea, "roll")
        assert days(opened, time) == 3

    def test_a_turn_that_comes_meanwhile_begins_when_he_is_back(
        self, opened: Match, time: Time, act: Act, ana: User, bea: User
    ) -> None:
        services.vacation_begin(user=bea, days=5)
        time(days=1)
        act(opened, ana, "8/5 6/5")
        assert days(opened, time) == 7
        time(days=1)
        services.vacation_end(user=bea)
        assert days(opened, time) == 3

    def test_who_comes_back_early_keeps_what_is_left_of_his_turn_and_of_his_days(
        self, opened: Match, time: Time, ana: User
    ) -> None:
        time(days=1)
        services.vacation_begin(user=ana, days=10)
        time(days=2.5)
        services.vacation_end(user=ana)
        assert days(opened, time) == 2
        assert services.days_left(user=ana) == 27

    def test_an_opening_waits_for_who_is_away(self, waiting: Match, time: Time, ana: User) -> None:
        time(days=1)
        services.vacation_begin(user=ana, days=5)
        assert days(waiting, time) == 7
        services.vacation_end(user=ana)
        assert days(waiting, time) == 2

    def test_the_year_has_so_many_days(self, time: Time, ana: User) -> None:
        services.vacation_begin(user=ana, days=30)
        with pytest.raises(Refused, match="vacation_on"):
            services.vacation_begin(user=ana, days=1)
        time(days=31)
        with pytest.raises(Refused, match="vacation_days"):
            services.vacation_begin(user=ana, days=1)
        time(days=365)
        assert services.days_left(user=ana) == 30

    def test_a_match_at_the_table_knows_no_vacation(self, time: Time, open_table: Open, ana: User) -> None:
        match = open_table()
        services.vacation_begin(user=ana, days=5)
        match.refresh_from_db()
        assert match.flag_at == time.moment + timedelta(seconds=20)

    def test_the_page_lets_one_go_and_come_back(self, client: Client, ana: User) -> None:
        client.force_login(ana)
        assert b"30 days left" in client.get("/vacation/").content
        assert b"I am back" in client.post("/vacation/", {"days": "3"}, follow=True).content
        page = client.post("/vacation/", {"action": "back"}, follow=True).content
        assert b"29 days left" in page
        assert client.post("/vacation/", {"days": "99"}, follow=True).status_code == 200


def test_the_lists_say_what_is_left_of_my_turn(opened: Match, ana: User, bea: User) -> None:
    Match.objects.filter(pk=opened.pk).update(clock_at=_now(), flag_at=_now() + timedelta(days=2, hours=1))
    assert [row.left for row in lists.lobby(ana).running] == ["2 days left"]
    assert [row.left for row in lists.lobby(bea).running] == [""]


def _now() -> Any:
    from django.utils import timezone

    return timezone.now()


def test_who_waits_for_the_rivals_hand_is_not_to_act(waiting: Match, ana: User, bea: User) -> None:
    services.dice_hand(match_id=waiting.pk, user_id=ana.pk, end="1" * 64, commit="2" * 64)
    assert [row.my_turn for row in lists.lobby(ana).running] == [False]
    assert [row.my_turn for row in lists.lobby(bea).running] == [True]


def test_who_gave_his_hand_does_not_lose_to_a_rival_who_never_came(waiting: Match, time: Time, ana: User) -> None:
    services.dice_hand(match_id=waiting.pk, user_id=ana.pk, end="1" * 64, commit="2" * 64)
    time(days=3)
    services.match_touch(match_id=waiting.pk)
    assert Match.objects.get(pk=waiting.pk).winner == "white"
