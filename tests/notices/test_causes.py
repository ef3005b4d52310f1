"""From what happens to the notice that says it, and back when it is no longer true."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import Membership, User
from accounts.services import club_ensure_default
from games import services as games
from games.models import Match
from games.services import ladders
from notices import services, words
from notices.models import Notice
from tests.games.conftest import act, open_table, thrown
from tests.notices.conftest import challenge, unread
from tests.tournaments.conftest import ready, tournament
from tournaments import services as tournaments

__all__ = ["act", "open_table", "thrown", "tournament"]

pytestmark = pytest.mark.django_db

Act = Callable[..., Any]
Open = Callable[..., Match]
Dice = deque[tuple[int, int]]


@pytest.fixture
def slow(thrown: Dice, open_table: Open, act: Act, ana: User, bea: User) -> Match:
    """A match at three days a turn; ana is to play 31."""
    thrown.append((3, 1))
    match = open_table(clock="days3", rated=False)
    act(match, ana, "roll")
    act(match, bea, "roll")
    return match


class TestChallenge:
    def test_who_is_challenged_is_told_once(self, ana: User, bea: User) -> None:
        match = challenge(ana, bea)
        assert unread(bea) == [("challenge", f"/match/{match.pk}/")]
        assert Notice.objects.get().data == {"from": "ana", "variant": "backgammon", "length": 5}

    def test_who_accepts_has_answered_it_and_the_other_hears_that_it_begins(self, ana: User, bea: User) -> None:
        match = challenge(ana, bea)
        games.match_join(match_id=match.pk, user=bea)
        assert unread(bea) == []
        assert unread(ana) == [("begun", f"/match/{match.pk}/")]

    def test_who_declines_has_answered_it(self, ana: User, bea: User) -> None:
        match = challenge(ana, bea)
        games.match_decline(match_id=match.pk, user=bea)
        assert unread(bea) == []
        assert unread(ana) == [("declined", "/")]

    def test_one_that_is_withdrawn_is_taken_back(self, ana: User, bea: User) -> None:
        match = challenge(ana, bea)
        games.match_cancel(match_id=match.pk, user=ana)
        assert (services.notices_check(), services.notices_check()) == (1, 0)
        assert unread(bea) == []

    def test_one_that_stands_stays(self, ana: User, bea: User) -> None:
        challenge(ana, bea)
        assert services.notices_check() == 0
        assert len(unread(bea)) == 1

    def test_it_is_written_with_its_cause_or_not_at_all(self, ana: User, bea: User, monkeypatch: Any) -> None:
        monkeypatch.setattr("games.services.lobby.notify.lobby_changed", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            challenge(ana, bea)
        assert not Notice.objects.exists()


class TestCorrespondence:
    def test_both_are_told_when_it_begins(self, open_table: Open, ana: User, bea: User) -> None:
        match = open_table(clock="days3", rated=False)
        assert unread(ana) == unread(bea) == [("your_move", f"/match/{match.pk}/")]

    def test_whose_turn_it_is_has_one_notice_however_long_it_goes(
        self, slow: Match, thrown: Dice, act: Act, ana: User, bea: User
    ) -> None:
        assert unread(ana) == [("your_move", f"/match/{slow.pk}/")]
        assert unread(bea) == []
        for dice, one, play in (((6, 4), ana, "8/5 6/5"), ((5, 3), bea, "24/18 13/9")):
            thrown.append(dice)
            act(slow, one, play)
            other = bea if one is ana else ana
            assert (unread(one), unread(other)) == ([], [("your_move", f"/match/{slow.pk}/")])
            act(slow, other, "roll")
            assert unread(other) == [("your_move", f"/match/{slow.pk}/")]  # rolling is no end of a turn
        assert Notice.objects.filter(kind="your_move").count() == 2

    def test_a_reminder_is_taken_back_by_the_move(self, slow: Match, act: Act, ana: User) -> None:
        Match.objects.filter(pk=slow.pk).update(remind_at=slow.created_at)
        assert games.reminders_send() == 1
        assert [kind for kind, _url in unread(ana)] == ["your_move", "reminder"]
        act(slow, ana, "8/5 6/5")
        assert unread(ana) == []

    def test_the_rival_of_one_who_resigns_is_told(self, slow: Match, act: Act, ana: User, bea: User) -> None:
        act(slow, ana, "resign match", after=Match.objects.get(pk=slow.pk).version)
        assert unread(bea) == [("match_over", f"/match/{slow.pk}/")]
        assert unread(ana) == []
        notice = Notice.objects.get(kind="match_over")
        assert words.sentence(notice.kind, notice.data) == "ana resigned: the match is yours."

    def test_both_are_told_when_time_runs_out(
        self, slow: Match, ana: User, bea: User, django_capture_on_commit_callbacks: Any
    ) -> None:
        Match.objects.filter(pk=slow.pk).update(flag_at=slow.created_at)
        with django_capture_on_commit_callbacks(execute=True):
            games.match_touch(match_id=slow.pk)
        assert unread(ana) == unread(bea) == [("match_over", f"/match/{slow.pk}/")]
        told = {one.user_id: (one.data["by"], one.data["won"]) for one in Notice.objects.filter(kind="match_over")}
        assert told == {ana.pk: ("flag", False), bea.pk: ("flag", True)}

    def test_a_live_match_says_nothing_of_turns(self, open_table: Open, ana: User, bea: User) -> None:
        open_table()
        assert [kind for kind, _url in unread(ana) + unread(bea)] == ["begun"]


class TestArranged:
    def test_two_whose_match_is_arranged_are_told_until_they_come(self, ana: User, bea: User) -> None:
        match = games.match_arrange(white=ana, black=bea, variant="backgammon", length=3, clock="club")
        assert unread(ana) == unread(bea) == [("match_ready", f"/match/{match.pk}/")]
        games.match_arrive(match_id=match.pk, user=ana)
        assert services.notices_check() == 1
        assert unread(ana) == []
        games.match_arrive(match_id=match.pk, user=bea)
        assert unread(bea) == []
        assert unread(ana) == [("begun", f"/match/{match.pk}/")]

    def test_one_that_is_called_off_is_taken_back(self, ana: User, bea: User) -> None:
        match = games.match_arrange(white=ana, black=bea, variant="backgammon", length=3, clock="club")
        games.match_call_off(match_id=match.pk)
        assert services.notices_check() == 2

    def test_who_is_challenged_on_a_ladder_is_told_until_he_answers(self, ana: User, bea: User, carlos: User) -> None:
        Membership.objects.create(club=club_ensure_default(), user=carlos, role=Membership.Role.DIRECTOR)
        terms = {"name": "Jueves", "kind": "challenge", "variant": "backgammon", "length": 3, "clock": "club"}
        ladder = ladders.ladder_create(by=carlos, club=club_ensure_default(), **terms)
        for one in (bea, ana):
            ladders.ladder_join(ladder_id=ladder.pk, user=one)
        called = ladders.challenge_make(ladder_id=ladder.pk, user=ana, rival=bea)
        assert unread(bea) == [("ladder_challenge", f"/ladders/{ladder.pk}/")]
        ladders.challenge_accept(challenge_id=called.pk, user=bea)
        services.notices_check()
        assert [kind for kind, _url in unread(bea)] == ["match_ready"]


class TestTournament:
    def test_players_directors_and_the_admitted_are_told(
        self, tournament: Callable[..., Any], ana: User, bea: User, carlos: User, dora: User
    ) -> None:
        cup = tournament(capacity=2)
        for one in (ana, bea, carlos):
            tournaments.entrant_register(tournament_id=cup.pk, user=one)
        gone = cup.entrants.get(user=bea).number
        tournaments.entrant_withdraw(tournament_id=cup.pk, user=bea, number=gone)
        assert unread(carlos) == [("admitted", f"/tournaments/{cup.pk}/")]
        tournaments.tournament_start(tournament_id=cup.pk, user=dora)
        match = Match.objects.get(arranged=True)
        assert ("round_starts", f"/match/{match.pk}/") in unread(ana)

    def test_who_is_to_confirm_a_result_is_told_until_it_is_one(
        self, tournament: Callable[..., Any], ana: User, bea: User, dora: User
    ) -> None:
        cup = tournament(venue="board")
        for one in (ana, bea):
            tournaments.entrant_register(tournament_id=cup.pk, user=one)
        tournaments.tournament_start(tournament_id=cup.pk, user=dora)
        assert unread(ana) == unread(bea) == [("round_starts", f"/tournaments/{cup.pk}/")]
        (key,) = ready(cup)
        one = cup.entrants.get(user=ana)
        points = [3, 1] if cup.meetings.get(key=key).a == one else [1, 3]
        tournaments.result_report(tournament_id=cup.pk, user=ana, key=key, winner=one.number, points=points)
        assert [kind for kind, _url in unread(bea)] == ["round_starts", "result_to_confirm"]
        assert services.notices_check() == 0
        tournaments.result_confirm(tournament_id=cup.pk, user=bea, key=key)
        assert services.notices_check() == 3
        assert unread(bea) == []


def test_bots_and_closed_accounts_get_none(ana: User, bea: User, person: Callable[..., User]) -> None:
    person("pipa", is_bot=True, owner=ana)
    bea.is_active = False
    bea.save()
    draft = services.notices.Draft("admitted", "/", "/")
    for name in ("pipa", "bea"):
        assert services.notice_write(user_id=User.objects.get(username=name).pk, draft=draft) is None
    assert not Notice.objects.exists()
