"""What an analysis counts in a match: judged by the real engine at its fastest setting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from analysis import report_summary
from analysis.engine import Cube
from analysis.models import Report
from analysis.moments import RecordedAction, moments
from analysis.report import MatchAnalyser, game_json, grade_of
from analysis.sage_analyst import SageAnalyst
from analysis.selectors import reports
from games import replay
from games.engine import Json
from games.formats import position_ids
from games.registry import RULES
from games.replay import State

OPTIONS = {"cube": True, "cube_cap": 64, "crawford": True}
SAGE = SageAnalyst()


@pytest.fixture(autouse=True)
def engine() -> None:
    if reason := SAGE.reason():
        pytest.skip(reason)


def start(length: int = 5, **options: object) -> State:
    usual = OPTIONS if length else {"cube": True, "cube_cap": 64}
    return replay.start(RULES["backgammon"], length, {**usual, **options})


def recorded_actions(*texts: str) -> list[RecordedAction]:
    """Actions written like ``white roll``, numbered from 1."""
    return [RecordedAction(n, 1, *text.split(" ", 1)) for n, text in enumerate(texts, 1)]


def judged(state: State, done: Iterable[RecordedAction]) -> MatchAnalyser:
    judge = MatchAnalyser(SAGE, "quick")
    for moment in moments(state, done):
        judge.judge(moment)
    return judge


OPENED = ("white roll", "black roll", "chance dice 31")


def test_the_best_play_of_an_opening_costs_nothing() -> None:
    [decision] = judged(start(), recorded_actions(*OPENED, "white 8/5 6/5")).decisions
    assert (decision["n"], decision["side"], decision["kind"], decision["phase"]) == (4, "white", "play", "opening")
    assert (decision["dice"], decision["played"], decision["best"]) == ([3, 1], "8/5 6/5", "8/5 6/5")
    assert (decision["loss"], decision["grade"], decision["obvious"], decision["choices"]) == (0.0, "", False, 16)
    assert "words" not in decision
    assert 0.5 < decision["mwc"] < 0.55
    assert decision["xgid"].startswith("XGID=")


def test_a_bad_play_is_graded_and_explained() -> None:
    [decision] = judged(start(), recorded_actions(*OPENED, "white 24/23 24/21")).decisions
    assert (decision["best"], decision["grade"]) == ("8/5 6/5", "blunder")
    assert 0.2 < decision["loss"] < 0.35
    assert decision["words"] == [["makes_home", {"point": 5}]]
    assert decision["plays"][0]["play"] == "8/5 6/5"
    played = next(each for each in decision["plays"] if each["play"] == "24/23 24/21")
    assert played["loss"] == decision["loss"]
    assert {each["plies"] for each in decision["plays"]} == {2}


def test_a_play_without_a_choice_is_obvious() -> None:
    state = replace(start(), position=position_ids.read("XGID=-B----------------------a-:0:0:1:21:0:0:0:5:10"))
    [decision] = judged(state, recorded_actions("white 1/off(2)")).decisions
    assert (decision["obvious"], decision["choices"], decision["phase"]) == (True, 1, "bearoff")


def test_nobody_doubles_at_the_start_and_that_is_obvious() -> None:
    found = judged(start(), recorded_actions(*OPENED, "white 8/5 6/5", "black roll")).decisions
    assert [(each["kind"], each["played"], each["best"], each["obvious"]) for each in found[1:]] == [
        ("double", "roll", "roll", True)
    ]


def test_a_wrong_double_and_its_answer_share_one_evaluation() -> None:
    found = judged(start(), recorded_actions(*OPENED, "white 8/5 6/5", "black double", "white drop")).decisions
    double, answer = found[1:]
    assert (double["played"], double["best"], double["obvious"], double["grade"]) == (
        "double",
        "roll",
        False,
        "blunder",
    )
    assert double["words"][0][0] == "double_early"
    assert (answer["side"], answer["played"], answer["best"], answer["grade"]) == ("white", "drop", "take", "blunder")
    assert double["cube"] == answer["cube"]
    assert double["cube"]["answer"] == "hold"
    cube = double["cube"]
    assert double["loss"] == pytest.approx(cube["hold"] - cube["taken"], abs=1e-3)
    assert answer["loss"] == pytest.approx(cube["dropped"] - cube["taken"], abs=1e-3)


def test_without_a_cube_there_is_no_cube_decision() -> None:
    found = judged(
        start(cube=False), recorded_actions(*OPENED, "white 8/5 6/5", "black roll", "chance dice 21")
    ).decisions
    assert [each["kind"] for each in found] == ["play"]


def test_a_tied_opening_roll_has_no_luck_and_the_next_one_has() -> None:
    done = recorded_actions("white roll", "black roll", "chance dice 44", "white roll", "black roll", "chance dice 31")
    [roll] = judged(start(), done).rolls
    assert (roll["n"], roll["side"], roll["dice"], roll["opening"]) == (6, "white", [3, 1], True)
    assert 0.15 < roll["luck"] < 0.3
    assert 0 < roll["mwc"] < 0.1


def test_resignations_and_pauses_are_no_decisions() -> None:
    done = recorded_actions(*OPENED, "white 8/5 6/5", "black resign 1", "white reject", "server pause", "server resume")
    assert [each["kind"] for each in judged(start(), done).decisions] == ["play"]


def test_in_money_play_match_winning_chances_are_unknown() -> None:
    judge = judged(start(0), recorded_actions(*OPENED, "white 8/5 6/5"))
    assert (judge.decisions[0]["mwc"], judge.rolls[0]["mwc"]) == (None, None)
    assert game_json(start(0), 1, SAGE)["start"] is None


def test_in_money_play_the_chart_has_the_chances_of_each_game() -> None:
    judge = judged(start(0), recorded_actions(*OPENED, "white 8/5 6/5", "black double", "white drop"))
    game = game_json(start(0), 1, SAGE) | {"decisions": judge.decisions, "rolls": judge.rolls}
    found = [round(step.chance, 1) for step in reports.winning_chances(Report(data={"games": [game]}))]
    assert found == [0.6, 0.6, 0.6]
    assert report_summary.summarise_sides([game], "white")["white"]["adjusted"] is None


def test_a_game_has_a_heading() -> None:
    head = game_json(start(7), 1, SAGE)
    assert (head["score"], head["start"]) == ({"length": 7, "white": 0, "black": 0, "crawford": False}, 0.5)


@pytest.mark.parametrize(
    ("loss", "grade"), [(0.0199, ""), (0.02, "doubtful"), (0.04, "error"), (0.08, "blunder"), (1.5, "blunder")]
)
def test_errors_are_graded(loss: float, grade: str) -> None:
    assert grade_of(loss) == grade


def entry(
    loss: float, side: str = "white", *, kind: str = "play", obvious: bool = False, phase: str = "contact"
) -> Json:
    return {"side": side, "kind": kind, "phase": phase, "loss": loss, "obvious": obvious, "grade": grade_of(loss)}


def test_the_error_rate_is_500_times_the_loss_a_decision() -> None:
    entries = [entry(0.1), entry(0.0), entry(0.0, obvious=True), entry(0.02, kind="double", phase="cube")]
    assert report_summary.summarise_decisions(entries) == {"decisions": 3, "obvious": 1, "lost": 0.12, "pr": 20.0}
    assert report_summary.summarise_decisions([entry(0.0, obvious=True)])["pr"] is None


def test_the_result_without_luck() -> None:
    game = {
        "decisions": [entry(0.05), entry(0.1, "black")],
        "rolls": [{"side": "white", "luck": 0.5, "mwc": 0.1}, {"side": "black", "luck": -0.4, "mwc": -0.08}],
    }
    found = report_summary.summarise_sides([game], "white")
    assert (found["white"]["adjusted"], found["black"]["adjusted"]) == (0.82, 0.18)
    assert found["white"]["luck"] == {"rolls": 1, "equity": 0.5, "mwc": 0.1}
    assert found["white"]["grades"] == {"doubtful": 0, "error": 1, "blunder": 0}
    assert report_summary.summarise_sides([game], "")["white"]["adjusted"] is None


def test_a_cube_decision_is_described() -> None:
    chances = None
    assert Cube(0.5, 0.6, 1.0, chances).answer == "double_take"  # type: ignore[arg-type]
    assert Cube(0.9, 1.2, 1.0, chances).answer == "double_drop"  # type: ignore[arg-type]
    assert Cube(1.1, 1.4, 1.0, chances).answer == "too_good"  # type: ignore[arg-type]
    assert Cube(0.3, 0.1, 1.0, chances).answer == "hold"  # type: ignore[arg-type]
