"""Members query positions; a position of a running match is never evaluated."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as user_services
from analysis.errors import Refused
from analysis.models import PositionQuestion
from analysis.puzzles import swap_sides
from analysis.sage_analyst import SageAnalyst
from analysis.services import questions
from games.database import now
from games.models import Match
from tests.analysis.cards import OPENING

pytestmark = pytest.mark.django_db
RACE = "XGID=-BBCCC------------bcddb---:0:0:1:00:0:0:0:5:6"


@pytest.fixture(autouse=True)
def engine() -> None:
    if reason := SageAnalyst().reason():
        pytest.skip(reason)


@pytest.fixture
def live(
    open_table: Callable[..., Match], act: Callable[..., Any], ana: User, bea: User, next_rolls: deque[Any]
) -> Match:
    """A running match to 5 of ana and bea, in which ana is to play 3-1."""
    next_rolls.append((3, 1))
    match = open_table()
    act(match, ana, "roll")
    act(match, bea, "roll")
    match.refresh_from_db()
    return match


def code(user: User, text: str) -> str:
    with pytest.raises(Refused) as refused:
        questions.question_ask(user=user, text=text)
    assert refused.value.text
    return refused.value.code


def test_a_query_is_answered_by_a_worker(carlos: User) -> None:
    row = questions.question_ask(user=carlos, text=OPENING, depth="quick")
    assert row.status == "waiting"
    questions.question_answer(question_id=row.pk)
    row.refresh_from_db()
    assert (row.status, row.answer["kind"], row.answer["best"]) == ("ready", "play", "8/5 6/5")
    assert {play["plies"] for play in row.answer["plays"]} == {2}


def test_a_cube_query_is_answered_for_the_deciding_side(carlos: User) -> None:
    row = questions.question_ask(user=carlos, text=RACE, depth="quick")
    questions.question_answer(question_id=row.pk)
    row.refresh_from_db()
    assert (row.answer["kind"], row.answer["best"]) == ("double", "double")
    offered = questions.question_ask(user=carlos, text=RACE.replace(":1:00:", ":1:D:"), depth="quick")
    questions.question_answer(question_id=offered.pk)
    offered.refresh_from_db()
    assert (offered.answer["kind"], offered.answer["side"]) == ("take", "black")
    assert offered.answer["best"] in ("take", "drop")


def test_an_invalid_query_is_refused(carlos: User) -> None:
    assert code(carlos, "good morning") == "question_id"
    assert code(carlos, OPENING.replace(":31:0:0:0:5", ":00:4:3:1:5")) == "question_forced"


def test_the_quota_counts_positions_not_clicks(carlos: User, settings: Any) -> None:
    settings.QUESTIONS_A_DAY = 1
    first = questions.question_ask(user=carlos, text=OPENING)
    assert questions.question_ask(user=carlos, text=OPENING) == first
    assert code(carlos, RACE) == "question_quota"
    PositionQuestion.objects.update(asked_at=now() - timedelta(days=1))
    assert questions.question_ask(user=carlos, text=RACE).pk != first.pk


@pytest.mark.parametrize("text", [OPENING, swap_sides(OPENING), OPENING.replace(":31:", ":13:")])
def test_a_position_of_a_running_match_is_refused_to_everyone(live: Match, carlos: User, text: str) -> None:
    assert code(carlos, text) == "question_running"


def test_the_same_board_at_another_score_may_be_queried(live: Match, carlos: User) -> None:
    assert questions.question_ask(user=carlos, text=OPENING.replace(":31:", ":52:"))
    assert questions.question_ask(user=carlos, text=OPENING.replace(":0:0:0:5:", ":0:0:0:7:"))


def test_a_player_is_refused_their_own_board_whatever_the_other_fields(live: Match, ana: User, bea: User) -> None:
    for user in (ana, bea):
        assert code(user, OPENING.replace(":31:", ":52:")) == "question_running"
        assert code(user, OPENING.replace(":0:0:0:5:6", ":3:1:0:9:6")) == "question_running"


def test_a_player_is_refused_the_boards_that_their_roll_leads_to(live: Match, ana: User) -> None:
    after = "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:64:0:0:0:5:6"
    assert code(ana, after) == "question_running"
    assert code(ana, swap_sides(after)) == "question_running"
    assert questions.question_ask(user=ana, text=RACE)


def test_an_answer_is_hidden_while_a_match_is_at_that_position(live: Match, carlos: User, client: Client) -> None:
    row = PositionQuestion.objects.create(user=carlos, xgid=OPENING, asked_at=now(), depth="quick")
    questions.question_answer(question_id=row.pk)
    client.force_login(carlos, backend=user_services.BACKEND)
    page = client.get(reverse("position-answer", args=[row.pk])).content.decode()
    assert "from a match in progress" in page
    assert "8/5 6/5" not in page.split('id="answer"')[1].split("</section>")[0]
    Match.objects.update(status=Match.Status.OVER)
    assert "8/5 6/5" in client.get(reverse("position-answer", args=[row.pk])).content.decode()


def test_a_user_cannot_read_others_answers(carlos: User, dora: User, client: Client) -> None:
    row = PositionQuestion.objects.create(user=carlos, xgid=OPENING, asked_at=now())
    client.force_login(dora, backend=user_services.BACKEND)
    assert client.get(reverse("position-answer", args=[row.pk])).status_code == 404


def test_a_lost_query_is_queued_again_and_finally_given_up(carlos: User, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []
    monkeypatch.setattr("analysis.notify.task_requested", lambda task, about: called.append(about))
    row = PositionQuestion.objects.create(user=carlos, xgid=OPENING, asked_at=now() - timedelta(minutes=1))
    assert (questions.questions_sweep(), called) == (1, [row.pk])
    PositionQuestion.objects.update(tries=3, tried_at=now() - timedelta(minutes=2))
    assert questions.questions_sweep() == 0
    row.refresh_from_db()
    assert row.status == "failed"


def test_the_position_page_queries_and_shows_the_answer(carlos: User, client: Client) -> None:
    client.force_login(carlos, backend=user_services.BACKEND)
    answer = client.post(reverse("position-analyse"), {"id": OPENING})
    row = PositionQuestion.objects.get()
    assert answer.headers["Location"] == reverse("position-answer", args=[row.pk])
    assert "hx-trigger" in client.get(answer.headers["Location"]).content.decode()
    questions.question_answer(question_id=row.pk)
    part = client.get(answer.headers["Location"], headers={"HX-Request": "true"}).content.decode()
    assert "hx-trigger" not in part
    assert "Best: 8/5 6/5" in part


def test_the_editor_opens_with_a_position_and_shows_its_id(client: Client) -> None:
    page = client.get(reverse("position-edit"), {"id": "4HPwATDgc/ABMA:MIGlAAAAAAAE"}).content.decode()
    assert f'data-xgid="{OPENING}"' in page
    names = client.get(reverse("position-ids"), {"id": OPENING})
    assert names.json() == {"xgid": OPENING, "gnubg": "4HPwATDgc/ABMA:MIGlAAAAAAAE"}
    assert client.get(reverse("position-ids"), {"id": "hello"}).status_code == 422
