"""Players ask for hints against the computer, and nowhere else."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as user_services
from analysis import services as services_of_analysis
from analysis.errors import Refused
from analysis.models import PositionQuestion
from analysis.sage_analyst import SageAnalyst
from analysis.selectors.reports import report_errors
from analysis.services import hints, questions
from games import services
from games.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def engine() -> None:
    if reason := SageAnalyst().reason():
        pytest.skip(reason)


@pytest.fixture
def bot() -> User:
    return user_services.house_bot_ensure()


@pytest.fixture
def practice(ana: User, bot: User, act: Callable[..., Any], next_rolls: deque[Any]) -> Match:
    """A match to 5 of ana against the computer, in which she is to play 3-1."""
    next_rolls.append((3, 1))
    terms = {"variant": "backgammon", "length": 5, "clock": "none", "rated": False}
    match = services.match_create(creator=ana, invited=bot, **terms)
    act(match, ana, "roll")
    act(match, bot, "roll")
    match.refresh_from_db()
    return match


def ask(client: Client, match: Match, play: str = "") -> Any:
    return client.post(
        reverse("api-hint", args=[match.pk]), {"play": play}, content_type="application/json", headers={"accept": "*/*"}
    )


def code(user: User, match: Match) -> str:
    with pytest.raises(Refused) as refused:
        hints.hint_ask(user=user, match_id=match.pk)
    assert refused.value.text
    return refused.value.code


def test_a_hint_says_the_best_play_and_why(practice: Match, ana: User, client: Client) -> None:
    client.force_login(ana, backend=user_services.BACKEND)
    waiting = ask(client, practice)
    assert (waiting.status_code, waiting.json()["status"], waiting.json()["options"]) == (200, "waiting", [])
    questions.question_answer(question_id=PositionQuestion.objects.get().pk)
    hint = ask(client, practice).json()
    assert (hint["status"], hint["kind"], hint["options"][0]["text"]) == ("ready", "play", "8/5 6/5")
    assert [option["loss"] >= 0 for option in hint["options"]] == [True] * 3
    assert "The best play makes your 5-point, in your home board." in hint["reasons"]
    assert not any("Your play" in reason for reason in hint["reasons"])
    assert hint["judged"] is None


def test_a_blunder_is_judged_before_it_is_played(practice: Match, ana: User, client: Client) -> None:
    client.force_login(ana, backend=user_services.BACKEND)
    ask(client, practice)
    questions.question_answer(question_id=PositionQuestion.objects.get().pk)
    judged = ask(client, practice, "6/2").json()["judged"]
    assert (judged["text"], judged["grade"]) == ("6/2", "blunder")
    assert judged["reasons"]
    best = ask(client, practice, "6/5 8/5").json()["judged"]
    assert best == {"text": "8/5 6/5", "loss": 0.0, "grade": "", "reasons": []}
    refused = ask(client, practice, "24/18")
    assert (refused.status_code, refused.json()["code"]) == (409, "puzzle_answer")


def test_a_play_that_can_be_taken_back_is_judged_after_it(
    practice: Match, ana: User, bot: User, act: Callable[..., Any], next_rolls: deque[Any], client: Client
) -> None:
    next_rolls.append((6, 2))
    for user, action in ((ana, "6/2"), (bot, "roll"), (bot, "24/18 13/11")):
        act(practice, user, action)
    client.force_login(ana, backend=user_services.BACKEND)
    assert last(client, practice).json()["status"] == "waiting"
    questions.question_answer(question_id=PositionQuestion.objects.get().pk)
    hint = last(client, practice).json()
    assert hint["options"][0]["text"] == "8/5 6/5"
    assert (hint["judged"]["text"], hint["judged"]["grade"]) == ("6/2", "blunder")
    assert hint["judged"]["reasons"]
    act(practice, ana, "take-back 4")
    assert hints.hint_ask(user=ana, match_id=practice.pk) == PositionQuestion.objects.get()
    refused = last(client, practice)
    assert (refused.status_code, refused.json()["code"]) == (409, "hint_not_now")


def test_the_analysis_judges_the_plays_that_stand(
    practice: Match, ana: User, bot: User, act: Callable[..., Any], next_rolls: deque[Any]
) -> None:
    next_rolls += [(6, 2), (6, 5)]
    for user, action in (
        (ana, "6/2"),
        (bot, "roll"),
        (bot, "24/18 13/11"),
        (ana, "take-back 4"),
        (ana, "8/5 6/5"),
        (bot, "roll"),
        (bot, "24/13"),
        (ana, "resign match"),
    ):
        act(practice, user, action)
    report = services_of_analysis.report_ask(match_id=practice.pk, user=ana)
    assert services_of_analysis.report_make(report_id=report.pk)
    report.refresh_from_db()
    decisions = [each for game in report.data["games"] for each in game["decisions"] if each["kind"] == "play"]
    assert [(each["n"], each["played"]) for each in decisions] == [(9, "8/5 6/5"), (12, "24/13")]
    assert [each["played"] for each in report_errors(practice, report)] == []


def last(client: Client, match: Match) -> Any:
    """Ask what the last play gave away."""
    return client.post(reverse("api-hint", args=[match.pk]), {"last": True}, content_type="application/json")


def test_the_same_decision_is_one_question_and_costs_no_daily_position(
    practice: Match, ana: User, settings: Any
) -> None:
    settings.QUESTIONS_A_DAY = 1
    first = hints.hint_ask(user=ana, match_id=practice.pk)
    assert hints.hint_ask(user=ana, match_id=practice.pk) == first
    assert questions.question_ask(user=ana, text="XGID=-BBCCC------------bcddb---:0:0:1:00:0:0:0:5:6")


def test_hints_have_a_daily_limit(practice: Match, ana: User, settings: Any) -> None:
    settings.HINTS_A_DAY = 0
    assert code(ana, practice) == "hint_quota"


def test_only_the_player_may_ask_and_only_when_they_decide(
    practice: Match, ana: User, bea: User, act: Callable[..., Any]
) -> None:
    assert code(bea, practice) == "hint_not_yours"
    act(practice, ana, "8/5 6/5")
    assert code(ana, practice) == "hint_not_now"
    act(practice, ana, "resign match")
    assert code(ana, practice) == "hint_not_yours"


def test_no_hint_against_a_person_nor_in_a_rated_or_arranged_match(
    practice: Match, ana: User, bea: User, open_table: Callable[..., Match]
) -> None:
    assert code(ana, open_table()) == "hint_opponent"
    for facts in ({"rated": True}, {"rated": False, "arranged": True}):
        Match.objects.filter(pk=practice.pk).update(**facts)
        assert code(ana, practice) == "hint_opponent"


def test_no_hint_about_a_position_of_another_own_match(
    practice: Match, ana: User, bea: User, open_table: Callable[..., Match]
) -> None:
    open_table()  # both matches are at the start of a game
    assert code(ana, practice) == "question_running"


def test_the_match_page_offers_hints_only_where_they_are_given(
    practice: Match, ana: User, bea: User, client: Client
) -> None:
    url = reverse("match", args=[practice.pk])
    client.force_login(ana, backend=user_services.BACKEND)
    assert 'data-do="hint"' in client.get(url).content.decode()
    client.force_login(bea, backend=user_services.BACKEND)
    assert 'data-do="hint"' not in client.get(url).content.decode()


def test_a_visitor_and_a_reading_program_cannot_ask(practice: Match, client: Client) -> None:
    assert ask(client, practice).status_code == 401
