"""Report cards, error rates, questions, the trainer, the position of the day, talk and notices over the API."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from accounts.models import User
from analysis import card
from analysis.api.reports import DecisionSerializer, ErrorRungSerializer, ErrorsSerializer, ReportSerializer
from analysis.api.training import (
    DailySerializer,
    PastSerializer,
    QuestionSerializer,
    TrainerSerializer,
    VerdictSerializer,
)
from analysis.models import Card, Daily, Puzzle, Question, Report, Wishes
from analysis.services import dailies
from games import services
from games.database import now
from games.models import Match
from notices.api import NoticeSerializer
from notices.models import Notice
from talk.api import TalkSerializer
from tests.analysis.cards import OPENING, play, played
from tests.games.declared import undeclared
from tests.games.test_api_matches import asked, queries, refused, sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ana: User, bea: User) -> Match:
    return played(ana, bea)


@pytest.fixture
def report(match: Match) -> Report:
    """A report card with a blunder of ana's and a right play of bea's."""
    whole: dict[str, Any] = {"dice": [3, 1], "equity": 0.1, "mwc": None}
    plays = {"chances": [0.5, 0.1, 0.0, 0.1, 0.0], "plies": 1}
    decisions = [play(3, "white", loss=0.1, **whole), play(5, "black", **whole)]
    for each in decisions:
        each["plays"] = [{**one, **plays} for one in each["plays"]]
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
        data={"games": games, "sides": card.sides(games, "white")},
    )


def test_a_card_is_for_its_players_until_both_show_theirs(report: Report, ana: User, bea: User, carlos: User) -> None:
    path = f"matches/{report.match_id}/report/"
    told = asked(ana, path)
    assert undeclared(ReportSerializer, told) == []
    assert told["ready"]["sides"]["white"]["grades"]["blunder"] == 1
    assert refused(carlos, path) == refused(None, path) == (404, "not_found")
    for user in (ana, bea):
        Wishes.objects.create(user=user, public=True)
    assert asked(None, path)["ready"]["engine"] == "Sage 2"


def test_decisions_are_chosen_by_side_and_grade(report: Report, ana: User) -> None:
    path = f"matches/{report.match_id}/report/decisions/"
    found = asked(ana, path)["results"]
    assert [fault for one in found for fault in undeclared(DecisionSerializer, one)] == []
    assert [one["n"] for one in found] == [3, 5]
    assert [one["n"] for one in asked(ana, path, side="black")["results"]] == [5]
    assert [one["n"] for one in asked(ana, path, grade="blunder")["results"]] == [3]
    assert refused(ana, path, grade="perfect") == (400, "invalid")


def test_a_card_is_asked_for_by_a_player_of_the_match(match: Match, ana: User, carlos: User) -> None:
    path = f"matches/{match.pk}/report/"
    assert sent(None, path)[0] == 401
    status, told = sent(carlos, path)
    assert (status, told["code"]) == (403, "report_not_yours")
    assert sent(ana, path, depth="endless")[1]["code"] == "invalid"
    assert not Report.objects.exists()


def test_error_rates_are_read_where_they_are_shown(ana: User, bea: User) -> None:
    assert undeclared(ErrorsSerializer, asked(ana, "players/ana/errors/")) == []
    assert refused(bea, "players/ana/errors/") == (403, "errors_hidden")
    assert sent(ana, "analysis/wishes/", "patch", public=True) == (200, {"always": False, "public": True})
    assert asked(bea, "players/ana/errors/")["matches"] == []
    found = asked(None, "error-rates/")["results"]
    assert [fault for one in found for fault in undeclared(ErrorRungSerializer, one)] == []


def test_a_question_is_ones_own_and_silent_while_a_match_stands_there(ana: User, bea: User) -> None:
    answer = {"kind": "play", "side": "white", "best": "8/5 6/5", "equity": 0.2, "choices": 16, "plays": []}
    facts: dict[str, Any] = {"xgid": OPENING, "depth": "normal", "asked_at": now()}
    row = Question.objects.create(user=ana, status=Question.Status.READY, answer=answer, **facts)
    told = asked(ana, f"positions/questions/{row.pk}/")
    assert undeclared(QuestionSerializer, told) == []
    assert (told["answer"]["best"], told["running"]) == ("8/5 6/5", False)
    assert refused(bea, f"positions/questions/{row.pk}/") == (404, "nothing_here")
    assert sent(ana, "positions/questions/", id="nothing")[1]["code"] == "question_id"


def test_the_trainer_and_the_day_are_empty_at_first(ana: User) -> None:
    told = asked(ana, "trainer/")
    assert undeclared(TrainerSerializer, told) == []
    assert told["card"] is None
    assert sent(ana, "trainer/1/", answer="8/5 6/5")[1]["code"] == "nothing_here"
    assert refused(None, "daily/") == refused(None, "daily/2026-01-01/") == (404, "nothing_here")


def test_a_card_is_answered_and_comes_again(match: Match, ana: User, bea: User) -> None:
    card = Card.objects.create(user=ana, puzzle=puzzle_of(match, ana), due=dailies.today())
    told = asked(ana, "trainer/")
    assert undeclared(TrainerSerializer, told) == []
    assert (told["card"]["id"], "8/5 6/5" in told["card"]["puzzle"]["plays"]) == (card.pk, True)
    assert sent(bea, f"trainer/{card.pk}/", answer="8/5 6/5")[0] == 404
    assert sent(ana, f"trainer/{card.pk}/", answer="8/7")[1]["code"] == "puzzle_answer"
    status, verdict = sent(ana, f"trainer/{card.pk}/", answer="24/23 13/10")
    assert undeclared(VerdictSerializer, verdict) == []
    assert (status, verdict["best"], round(verdict["loss"], 4)) == (200, "8/5 6/5", 0.1)


def test_the_day_is_voted_on_once_and_told_afterwards(match: Match, ana: User, bea: User) -> None:
    puzzle = puzzle_of(match, bea)
    told = asked(ana, "daily/")
    assert undeclared(DailySerializer, told) == []
    assert (told["mine"], "best" in str(told)) == (None, False)
    assert sent(None, "daily/", answer="8/5 6/5")[0] == 401
    assert sent(ana, "daily/", answer="8/5 6/5")[1]["votes"] == 1
    assert sent(ana, "daily/", answer="8/5 6/5")[1]["code"] == "daily_voted"
    Daily.objects.filter(puzzle=puzzle).update(day=date(2026, 1, 1))
    past = asked(ana, "daily/2026-01-01/")
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


def test_the_talk_of_a_match_is_read_and_said(ana: User, bea: User, carlos: User) -> None:
    seek = services.match_create(creator=ana, variant="backgammon", length=3, clock="none", rated=False)
    match = services.match_join(match_id=seek.pk, user=bea)
    path = f"matches/{match.pk}/talk/"
    status, said = sent(ana, path, id="s-1", text="Well played")
    assert status == 200, said
    assert sent(ana, path, id="s-1", text="Well played") == (200, said)
    told = asked(bea, path)
    assert undeclared(TalkSerializer, told) == []
    assert [(one["by"], one["text"], one["mine"]) for one in told["messages"]] == [("ana", "Well played", False)]
    assert asked(bea, path, after=said["message"])["messages"] == []
    assert asked(carlos, path)["messages"] == []  # the players' room is not his
    assert sent(None, path, id="s-2", text="Hi")[0] == 401
    assert sent(ana, path, id="s-3", phrase="shout")[1]["code"] == "invalid"


def test_notices_are_read_once_and_by_their_reader(ana: User, bea: User) -> None:
    facts: dict[str, Any] = {"kind": "challenge", "data": {"from": "bea"}, "url": "/", "at": now(), "shown": True}
    rows = [Notice.objects.create(user=ana, key=f"k-{n}", mark=str(n), **facts) for n in range(3)]
    found = asked(ana, "notices/")["results"]
    assert [fault for one in found for fault in undeclared(NoticeSerializer, one)] == []
    assert len(found) == 3
    few = queries(bea, "notices/")
    assert queries(ana, "notices/") == few
    assert sent(bea, f"notices/{rows[0].pk}/read/")[0] == 404
    assert sent(ana, f"notices/{rows[0].pk}/read/")[1]["read_at"] is not None
    assert len(asked(ana, "notices/", unread="true")["results"]) == 2
    assert sent(ana, "notices/read/") == (200, {"read": 2})
