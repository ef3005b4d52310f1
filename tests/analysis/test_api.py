"""Analyses, error rates, queries, the trainer, the daily puzzle, chat and notifications over the API."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from accounts.models import User
from analysis import report_summary
from analysis.api.reports import DecisionSerializer, ErrorRungSerializer, ErrorsSerializer, ReportSerializer
from analysis.api.training import (
    DailySerializer,
    PastSerializer,
    QuestionSerializer,
    TrainerSerializer,
    VerdictSerializer,
)
from analysis.models import AnalysisPreferences, DailyPuzzle, PositionQuestion, Puzzle, Report, TrainerCard
from analysis.services import daily_puzzles
from chat.api import ChatSerializer
from games import services
from games.database import now
from games.models import Match
from notifications.api import NotificationSerializer
from notifications.models import Notification
from tests.analysis.cards import OPENING, play, played
from tests.games.declared_data import undeclared
from tests.games.test_api_matches import get_json, queries, refused, sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ana: User, bea: User) -> Match:
    return played(ana, bea)


@pytest.fixture
def report(match: Match) -> Report:
    """An analysis with a blunder of ana's and a correct play of bea's."""
    whole: dict[str, Any] = {"dice": [3, 1], "equity": 0.1, "mwc": None}
    plays = {"chances": [0.5, 0.1, 0.0, 0.1, 0.0], "plies": 1}
    decisions = [play(3, "white", loss=0.1, **whole), play(5, "black", **whole)]
    for each in decisions:
        each["plays"] = [{**row, **plays} for row in each["plays"]]
    games = [{"number": 1, "score": {}, "start": None, "decisions": decisions, "rolls": []}]
    moment = now()
    return Report.objects.create(
        match=match,
        depth="quick",
        status=Report.Status.READY,
        asked_at=moment,
        touched_at=moment,
        made_at=moment,
        engine="Sage 2",
        data={"games": games, "sides": report_summary.summarise_sides(games, "white")},
    )


def test_an_analysis_is_private_to_its_players_until_both_share_it(
    report: Report, ana: User, bea: User, carlos: User
) -> None:
    path = f"matches/{report.match_id}/report/"
    body = get_json(ana, path)
    assert undeclared(ReportSerializer, body) == []
    assert body["ready"]["sides"]["white"]["grades"]["blunder"] == 1
    assert refused(carlos, path) == refused(None, path) == (404, "not_found")
    for user in (ana, bea):
        AnalysisPreferences.objects.create(user=user, public=True)
    assert get_json(None, path)["ready"]["engine"] == "Sage 2"


def test_decisions_are_chosen_by_side_and_grade(report: Report, ana: User) -> None:
    path = f"matches/{report.match_id}/report/decisions/"
    found = get_json(ana, path)["results"]
    assert [error for decision in found for error in undeclared(DecisionSerializer, decision)] == []
    assert [decision["n"] for decision in found] == [3, 5]
    assert [decision["n"] for decision in get_json(ana, path, side="black")["results"]] == [5]
    assert [decision["n"] for decision in get_json(ana, path, grade="blunder")["results"]] == [3]
    assert refused(ana, path, grade="perfect") == (400, "invalid")


def test_only_a_player_of_the_match_requests_an_analysis(match: Match, ana: User, carlos: User) -> None:
    path = f"matches/{match.pk}/report/"
    assert sent(None, path)[0] == 401
    status, body = sent(carlos, path)
    assert (status, body["code"]) == (403, "report_not_yours")
    assert sent(ana, path, depth="endless")[1]["code"] == "invalid"
    assert not Report.objects.exists()


def test_error_rates_are_readable_where_they_are_public(ana: User, bea: User) -> None:
    assert undeclared(ErrorsSerializer, get_json(ana, "players/ana/errors/")) == []
    assert refused(bea, "players/ana/errors/") == (403, "errors_hidden")
    assert sent(ana, "analysis/wishes/", "patch", public=True) == (200, {"always": False, "public": True})
    assert get_json(bea, "players/ana/errors/")["matches"] == []
    found = get_json(None, "error-rates/")["results"]
    assert [error for row in found for error in undeclared(ErrorRungSerializer, row)] == []


def test_a_query_is_private_and_unanswered_while_a_match_is_at_that_position(ana: User, bea: User) -> None:
    answer = {"kind": "play", "side": "white", "best": "8/5 6/5", "equity": 0.2, "choices": 16, "plays": []}
    facts: dict[str, Any] = {"xgid": OPENING, "depth": "normal", "asked_at": now()}
    row = PositionQuestion.objects.create(user=ana, status=PositionQuestion.Status.READY, answer=answer, **facts)
    body = get_json(ana, f"positions/questions/{row.pk}/")
    assert undeclared(QuestionSerializer, body) == []
    assert (body["answer"]["best"], body["running"]) == ("8/5 6/5", False)
    assert refused(bea, f"positions/questions/{row.pk}/") == (404, "nothing_here")
    assert sent(ana, "positions/questions/", id="nothing")[1]["code"] == "question_id"


def test_the_trainer_and_the_daily_puzzle_are_empty_at_first(ana: User) -> None:
    body = get_json(ana, "trainer/")
    assert undeclared(TrainerSerializer, body) == []
    assert body["card"] is None
    assert sent(ana, "trainer/1/", answer="8/5 6/5")[1]["code"] == "nothing_here"
    assert refused(None, "daily/") == refused(None, "daily/2026-01-01/") == (404, "nothing_here")


def test_a_card_is_answered_and_repeated(match: Match, ana: User, bea: User) -> None:
    card = TrainerCard.objects.create(user=ana, puzzle=puzzle_of(match, ana), due=daily_puzzles.today())
    body = get_json(ana, "trainer/")
    assert undeclared(TrainerSerializer, body) == []
    assert (body["card"]["id"], "8/5 6/5" in body["card"]["puzzle"]["plays"]) == (card.pk, True)
    assert sent(bea, f"trainer/{card.pk}/", answer="8/5 6/5")[0] == 404
    assert sent(ana, f"trainer/{card.pk}/", answer="8/7")[1]["code"] == "puzzle_answer"
    status, verdict = sent(ana, f"trainer/{card.pk}/", answer="24/23 13/10")
    assert undeclared(VerdictSerializer, verdict) == []
    assert (status, verdict["best"], round(verdict["loss"], 4)) == (200, "8/5 6/5", 0.1)


def test_a_daily_puzzle_takes_one_vote_and_then_shows_the_answer(match: Match, ana: User, bea: User) -> None:
    puzzle = puzzle_of(match, bea)
    body = get_json(ana, "daily/")
    assert undeclared(DailySerializer, body) == []
    assert (body["mine"], "best" in str(body)) == (None, False)
    assert sent(None, "daily/", answer="8/5 6/5")[0] == 401
    assert sent(ana, "daily/", answer="8/5 6/5")[1]["votes"] == 1
    assert sent(ana, "daily/", answer="8/5 6/5")[1]["code"] == "daily_voted"
    DailyPuzzle.objects.filter(puzzle=puzzle).update(day=date(2026, 1, 1))
    past = get_json(ana, "daily/2026-01-01/")
    assert undeclared(PastSerializer, past) == []
    assert (past["verdict"]["verdict"], past["shares"]) == (
        "best",
        [{"answer": "8/5 6/5", "votes": 1, "share": 1.0}],
    )


def puzzle_of(match: Match, user: User) -> Puzzle:
    """An error in the opening 3-1."""
    options = [["8/5 6/5", 0.2], ["24/23 13/10", 0.1]]
    facts: dict[str, Any] = {"kind": "play", "phase": "contact", "xgid": OPENING, "options": options, "words": []}
    return Puzzle.objects.create(
        match=match, n=3, game=1, side="white", user=user, played="24/23 13/10", loss=0.1, **facts
    )


def test_chat_messages_are_read_and_posted(ana: User, bea: User, carlos: User) -> None:
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="none", rated=False)
    match = services.match_join(match_id=seek.pk, user=bea)
    path = f"matches/{match.pk}/talk/"
    status, posted = sent(ana, path, id="s-1", text="Well played")
    assert status == 200, posted
    assert sent(ana, path, id="s-1", text="Well played") == (200, posted)
    body = get_json(bea, path)
    assert undeclared(ChatSerializer, body) == []
    assert [(message["by"], message["text"], message["mine"]) for message in body["messages"]] == [
        ("ana", "Well played", False)
    ]
    assert get_json(bea, path, after=posted["message"])["messages"] == []
    assert get_json(carlos, path)["messages"] == []  # carlos cannot read the players' room
    assert sent(None, path, id="s-2", text="Hi")[0] == 401
    assert sent(ana, path, id="s-3", phrase="shout")[1]["code"] == "invalid"


def test_notifications_are_read_once_and_by_their_recipient_only(ana: User, bea: User) -> None:
    facts: dict[str, Any] = {"kind": "challenge", "data": {"from": "bea"}, "url": "/", "at": now(), "shown": True}
    rows = [Notification.objects.create(user=ana, key=f"k-{n}", mark=str(n), **facts) for n in range(3)]
    found = get_json(ana, "notices/")["results"]
    assert [error for row in found for error in undeclared(NotificationSerializer, row)] == []
    assert len(found) == 3
    few = queries(bea, "notices/")
    assert queries(ana, "notices/") == few
    assert sent(bea, f"notices/{rows[0].pk}/read/")[0] == 404
    assert sent(ana, f"notices/{rows[0].pk}/read/")[1]["read_at"] is not None
    assert len(get_json(ana, "notices/", unread="true")["results"]) == 2
    assert sent(ana, "notices/read/") == (200, {"read": 2})
