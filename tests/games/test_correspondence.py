"""Correspondence matches: days per turn, reminders, vacation days (ruling "Match clock")."""

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
from games.selectors.lobby import lobby
from games.selectors.missed_events import milliseconds, missed_events
from games.services import Answer
from tests.games.clock_control import Time
from tests.games.dice.seats import give

pytestmark = pytest.mark.django_db

Open = Callable[..., Match]
Act = Callable[..., Answer]
Dice = deque[tuple[int, int]]


@pytest.fixture
def waiting(time: Time, open_table: Open) -> Match:
    """A match at three days per turn before its opening roll."""
    return open_table(clock="days3", rated=False)


@pytest.fixture
def opened(waiting: Match, act: Act, next_rolls: Dice, ana: User, bea: User) -> Match:
    """ana is to play 31, within three days."""
    next_rolls.append((3, 1))
    act(waiting, ana, "roll")
    act(waiting, bea, "roll")
    return waiting


@pytest.fixture
def sent_messages(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, dict[str, Any]]]:
    """The notifications: (user id, message)."""
    sent: list[tuple[int, dict[str, Any]]] = []
    monkeypatch.setattr(notify, "notify_user", lambda user_id, message: sent.append((user_id, message)))
    return sent


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

    def test_the_match_is_lost_when_the_days_run_out(self, opened: Match, time: Time) -> None:
        time(days=3)
        services.match_touch(match_id=opened.pk)
        match = Match.objects.get(pk=opened.pk)
        assert (match.ended_by, match.winner) == ("flag", "black")

    @pytest.mark.parametrize(("variant", "length"), [("damas", 1), ("acey-deucey", 15)])
    def test_other_games_can_be_played_by_correspondence(
        self, time: Time, open_table: Open, variant: str, length: int
    ) -> None:
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

    def test_nobody_loses_when_both_are_absent(self, waiting: Match, time: Time, next_rolls: Dice) -> None:
        next_rolls.append((6, 2))
        time(days=3)
        services.match_touch(match_id=waiting.pk)
        assert [row.text for row in Action.objects.filter(match=waiting)] == ["hold white", "hold black", "dice 62"]
        assert days(waiting, time) == 3

    @pytest.mark.parametrize(("variant", "length"), [("damas", 2), ("acey-deucey", 15)])
    def test_a_flag_costs_a_game_even_before_its_first_roll(
        self, time: Time, open_table: Open, act: Act, ana: User, variant: str, length: int
    ) -> None:
        match = open_table(variant=variant, length=length, clock="days1", rated=False)
        act(match, ana, "roll")
        time(days=1)
        services.match_touch(match_id=match.pk)
        match.refresh_from_db()
        assert match.seats.get(side="white").points > 0


class TestReminder:
    def test_a_player_is_reminded_once_a_day_before_the_end(
        self, opened: Match, time: Time, sent_messages: list[tuple[int, dict[str, Any]]], ana: User
    ) -> None:
        time(days=2, seconds=-1)
        assert services.reminders_send() == 0
        time(seconds=1)
        assert (services.reminders_send(), services.reminders_send()) == (1, 0)
        expected = {"t": "remind", "id": opened.pk, "url": f"/match/{opened.pk}/", "from": "bea"}
        assert sent_messages == [(ana.pk, expected)]

    def test_a_page_that_missed_it_receives_it(self, opened: Match, time: Time, ana: User, bea: User) -> None:
        since = milliseconds(time(days=2, seconds=-30))
        time(seconds=60)
        assert [expected["t"] for expected in missed_events(user_id=ana.pk, since=since)[0]] == ["remind", "notice"]
        assert [expected["t"] for expected in missed_events(user_id=bea.pk, since=since)[0]] == ["notice"]

    def test_a_player_who_has_moved_is_not_reminded(
        self, opened: Match, time: Time, act: Act, ana: User, bea: User
    ) -> None:
        act(opened, ana, "8/5 6/5")
        act(opened, bea, "resign match", after=Match.objects.get(pk=opened.pk).version)
        time(days=2)
        assert services.reminders_send() == 0

    def test_one_day_per_turn_needs_no_reminder(self, time: Time, open_table: Open) -> None:
        assert open_table(clock="days1", rated=False).remind_at is None


class TestVacation:
    def test_the_days_stop_during_a_vacation(self, opened: Match, time: Time, act: Act, ana: User, bea: User) -> None:
        time(days=1)
        services.vacation_begin(user=ana, days=10)
        assert days(opened, time) == 12
        time(days=4)
        act(opened, ana, "8/5 6/5")  # they may still play
        assert days(opened, time) == 3  # bea is here
        act(opened, bea, "roll")
        assert days(opened, time) == 3

    def test_a_turn_during_a_vacation_begins_at_its_end(
        self, opened: Match, time: Time, act: Act, ana: User, bea: User
    ) -> None:
        services.vacation_begin(user=bea, days=5)
        time(days=1)
        act(opened, ana, "8/5 6/5")
        assert days(opened, time) == 7
        time(days=1)
        services.vacation_end(user=bea)
        assert days(opened, time) == 3

    def test_ending_a_vacation_early_keeps_the_rest_of_the_turn_and_of_the_days(
        self, opened: Match, time: Time, ana: User
    ) -> None:
        time(days=1)
        services.vacation_begin(user=ana, days=10)
        time(days=2.5)
        services.vacation_end(user=ana)
        assert days(opened, time) == 2
        assert services.days_left(user=ana) == 27

    def test_an_opening_waits_for_the_end_of_a_vacation(self, waiting: Match, time: Time, ana: User) -> None:
        time(days=1)
        services.vacation_begin(user=ana, days=5)
        assert days(waiting, time) == 7
        services.vacation_end(user=ana)
        assert days(waiting, time) == 2

    def test_vacation_days_per_year_are_limited(self, time: Time, ana: User) -> None:
        services.vacation_begin(user=ana, days=30)
        with pytest.raises(Refused, match="vacation_on"):
            services.vacation_begin(user=ana, days=1)
        time(days=31)
        with pytest.raises(Refused, match="vacation_days"):
            services.vacation_begin(user=ana, days=1)
        time(days=365)
        assert services.days_left(user=ana) == 30

    def test_a_live_match_has_no_vacation(self, time: Time, open_table: Open, ana: User) -> None:
        match = open_table()
        services.vacation_begin(user=ana, days=5)
        match.refresh_from_db()
        assert match.flag_at == time.moment + timedelta(seconds=20)

    def test_the_page_starts_and_ends_a_vacation(self, client: Client, ana: User) -> None:
        client.force_login(ana)
        assert b"30 days left" in client.get("/vacation/").content
        assert b"I'm back" in client.post("/vacation/", {"days": "3"}, follow=True).content
        page = client.post("/vacation/", {"action": "back"}, follow=True).content
        assert b"29 days left" in page
        assert client.post("/vacation/", {"days": "99"}, follow=True).status_code == 200


def test_the_lists_show_the_time_left_for_my_turn(opened: Match, ana: User, bea: User) -> None:
    Match.objects.filter(pk=opened.pk).update(clock_at=_now(), flag_at=_now() + timedelta(days=2, hours=1))
    assert [row.left for row in lobby(ana).running] == ["2 days left"]
    assert [row.left for row in lobby(bea).running] == [""]


def _now() -> Any:
    from django.utils import timezone

    return timezone.now()


def test_a_player_who_waits_for_the_opponents_hand_is_not_to_act(waiting: Match, ana: User, bea: User) -> None:
    give(waiting, ana, end="1" * 64, commit="2" * 64)
    assert [row.my_turn for row in lobby(ana).running] == [False]
    assert [row.my_turn for row in lobby(bea).running] == [True]


def test_a_player_who_gave_a_hand_does_not_lose_to_an_opponent_who_never_came(
    waiting: Match, time: Time, ana: User
) -> None:
    give(waiting, ana, end="1" * 64, commit="2" * 64)
    time(days=3)
    services.match_touch(match_id=waiting.pk)
    assert Match.objects.get(pk=waiting.pk).winner == "white"
