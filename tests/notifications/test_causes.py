"""Events create notifications, and expire them when they no longer apply."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from accounts.clubs.services import default_club_ensure
from accounts.models import Membership, User
from games import services as games
from games.models import Match
from ladders import services as ladders
from notifications import sentences, services
from notifications.models import Notification
from tests.games.conftest import act, next_rolls, open_table
from tests.notifications.conftest import challenge, unread
from tests.tournaments.conftest import ready, tournament
from tournaments import services as tournaments

__all__ = ["act", "next_rolls", "open_table", "tournament"]

pytestmark = pytest.mark.django_db

Act = Callable[..., Any]
Open = Callable[..., Match]
Dice = deque[tuple[int, int]]


@pytest.fixture
def slow(next_rolls: Dice, open_table: Open, act: Act, ana: User, bea: User) -> Match:
    """A match at three days per turn; ana is to play 31."""
    next_rolls.append((3, 1))
    match = open_table(clock="days3", rated=False)
    act(match, ana, "roll")
    act(match, bea, "roll")
    return match


class TestChallenge:
    def test_a_challenged_player_is_notified_once(self, ana: User, bea: User) -> None:
        match = challenge(ana, bea)
        assert unread(bea) == [("challenge", f"/match/{match.pk}/")]
        assert Notification.objects.get().data == {"from": "ana", "variant": "backgammon", "length": 5}

    def test_accepting_expires_the_challenge_and_notifies_the_challenger(self, ana: User, bea: User) -> None:
        match = challenge(ana, bea)
        games.match_join(match_id=match.pk, user=bea)
        assert unread(bea) == []
        assert unread(ana) == [("begun", f"/match/{match.pk}/")]

    def test_declining_expires_the_challenge(self, ana: User, bea: User) -> None:
        match = challenge(ana, bea)
        games.match_decline(match_id=match.pk, user=bea)
        assert unread(bea) == []
        assert unread(ana) == [("declined", "/")]

    def test_a_withdrawn_challenge_withdraws_the_notification(self, ana: User, bea: User) -> None:
        match = challenge(ana, bea)
        games.match_cancel(match_id=match.pk, user=ana)
        assert (services.notifications_expire(), services.notifications_expire()) == (1, 0)
        assert unread(bea) == []

    def test_the_notification_of_an_open_challenge_stays(self, ana: User, bea: User) -> None:
        challenge(ana, bea)
        assert services.notifications_expire() == 0
        assert len(unread(bea)) == 1

    def test_it_is_stored_with_its_cause_or_not_at_all(self, ana: User, bea: User, monkeypatch: Any) -> None:
        monkeypatch.setattr("games.services.lobby.notify.lobby_changed", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            challenge(ana, bea)
        assert not Notification.objects.exists()


class TestCorrespondence:
    def test_both_are_notified_when_it_begins(self, open_table: Open, ana: User, bea: User) -> None:
        match = open_table(clock="days3", rated=False)
        assert unread(ana) == unread(bea) == [("your_move", f"/match/{match.pk}/")]

    def test_the_player_to_move_has_one_notification_however_long_the_turn(
        self, slow: Match, next_rolls: Dice, act: Act, ana: User, bea: User
    ) -> None:
        assert unread(ana) == [("your_move", f"/match/{slow.pk}/")]
        assert unread(bea) == []
        for dice, player, play in (((6, 4), ana, "8/5 6/5"), ((5, 3), bea, "24/18 13/9")):
            next_rolls.append(dice)
            act(slow, player, play)
            opponent = bea if player is ana else ana
            assert (unread(player), unread(opponent)) == ([], [("your_move", f"/match/{slow.pk}/")])
            act(slow, opponent, "roll")
            assert unread(opponent) == [("your_move", f"/match/{slow.pk}/")]  # rolling does not end a turn
        assert Notification.objects.filter(kind="your_move").count() == 2

    def test_a_move_withdraws_the_reminder(self, slow: Match, act: Act, ana: User) -> None:
        Match.objects.filter(pk=slow.pk).update(remind_at=slow.created_at)
        assert games.reminders_send() == 1
        assert [kind for kind, _url in unread(ana)] == ["your_move", "reminder"]
        act(slow, ana, "8/5 6/5")
        assert unread(ana) == []

    def test_the_opponent_is_notified_of_a_resignation(self, slow: Match, act: Act, ana: User, bea: User) -> None:
        act(slow, ana, "resign match", after=Match.objects.get(pk=slow.pk).version)
        assert unread(bea) == [("match_over", f"/match/{slow.pk}/")]
        assert unread(ana) == []
        notification = Notification.objects.get(kind="match_over")
        assert sentences.sentence(notification.kind, notification.data) == "ana resigned. You won the match."

    def test_both_are_notified_when_time_runs_out(
        self, slow: Match, ana: User, bea: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        Match.objects.filter(pk=slow.pk).update(flag_at=slow.created_at)
        with django_capture_on_commit_callbacks(execute=True):
            games.match_touch(match_id=slow.pk)
        assert unread(ana) == unread(bea) == [("match_over", f"/match/{slow.pk}/")]
        outcomes = {
            notification.user_id: (notification.data["by"], notification.data["won"])
            for notification in Notification.objects.filter(kind="match_over")
        }
        assert outcomes == {ana.pk: ("flag", False), bea.pk: ("flag", True)}

    def test_a_live_match_sends_no_turn_notifications(self, open_table: Open, ana: User, bea: User) -> None:
        open_table()
        assert [kind for kind, _url in unread(ana) + unread(bea)] == ["begun"]


class TestArranged:
    def test_both_players_of_an_arranged_match_are_notified_until_they_arrive(self, ana: User, bea: User) -> None:
        match = games.match_arrange(white=ana, black=bea, variant="backgammon", length=3, clock="club")
        assert unread(ana) == unread(bea) == [("match_ready", f"/match/{match.pk}/")]
        games.match_arrive(match_id=match.pk, user=ana)
        assert services.notifications_expire() == 1
        assert unread(ana) == []
        games.match_arrive(match_id=match.pk, user=bea)
        assert unread(bea) == []
        assert unread(ana) == [("begun", f"/match/{match.pk}/")]

    def test_a_cancelled_match_withdraws_the_notification(self, ana: User, bea: User) -> None:
        match = games.match_arrange(white=ana, black=bea, variant="backgammon", length=3, clock="club")
        games.match_call_off(match_id=match.pk)
        assert services.notifications_expire() == 2

    def test_a_ladder_challenge_notifies_until_it_is_answered(self, ana: User, bea: User, carlos: User) -> None:
        Membership.objects.create(club=default_club_ensure(), user=carlos, role=Membership.Role.DIRECTOR)
        terms = {
            "name": "Torneo semanal del club",
            "kind": "challenge",
            "variant": "backgammon",
            "length": 3,
            "clock": "club",
        }
        ladder = ladders.ladder_create(by=carlos, club=default_club_ensure(), **terms)
        for user in (bea, ana):
            ladders.ladder_join(ladder_id=ladder.pk, user=user)
        called = ladders.challenge_make(ladder_id=ladder.pk, user=ana, opponent=bea)
        assert unread(bea) == [("ladder_challenge", f"/ladders/{ladder.pk}/")]
        ladders.challenge_accept(challenge_id=called.pk, user=bea)
        services.notifications_expire()
        assert [kind for kind, _url in unread(bea)] == ["match_ready"]


class TestTournament:
    def test_players_directors_and_admitted_entrants_are_notified(
        self, tournament: Callable[..., Any], ana: User, bea: User, carlos: User, dora: User
    ) -> None:
        cup = tournament(capacity=2)
        for user in (ana, bea, carlos):
            tournaments.entrant_register(tournament_id=cup.pk, user=user)
        withdrawn = cup.entrants.get(user=bea).number
        tournaments.entrant_withdraw(tournament_id=cup.pk, user=bea, number=withdrawn)
        assert unread(carlos) == [("admitted", f"/tournaments/{cup.pk}/")]
        tournaments.tournament_start(tournament_id=cup.pk, user=dora)
        match = Match.objects.get(arranged=True)
        assert ("round_starts", f"/match/{match.pk}/") in unread(ana)

    def test_the_player_who_must_confirm_a_result_is_notified_until_it_is_final(
        self, tournament: Callable[..., Any], ana: User, bea: User, dora: User
    ) -> None:
        cup = tournament(venue="board")
        for user in (ana, bea):
            tournaments.entrant_register(tournament_id=cup.pk, user=user)
        tournaments.tournament_start(tournament_id=cup.pk, user=dora)
        assert unread(ana) == unread(bea) == [("round_starts", f"/tournaments/{cup.pk}/")]
        (key,) = ready(cup)
        entrant = cup.entrants.get(user=ana)
        points = [3, 1] if cup.meetings.get(key=key).a == entrant else [1, 3]
        tournaments.result_report(tournament_id=cup.pk, user=ana, key=key, winner=entrant.number, points=points)
        assert [kind for kind, _url in unread(bea)] == ["round_starts", "result_to_confirm"]
        assert services.notifications_expire() == 0
        tournaments.result_confirm(tournament_id=cup.pk, user=bea, key=key)
        assert services.notifications_expire() == 3
        assert unread(bea) == []


def test_bots_and_closed_accounts_get_no_notifications(ana: User, bea: User, person: Callable[..., User]) -> None:
    person("pipa", is_bot=True, owner=ana)
    bea.is_active = False
    bea.save()
    draft = services.notifications.Draft("admitted", "/", "/")
    for name in ("pipa", "bea"):
        assert services.notification_write(user_id=User.objects.get(username=name).pk, draft=draft) is None
    assert not Notification.objects.exists()
