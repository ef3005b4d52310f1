"""Without bgsage: a whole match against the computer, and its report card."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from analysis import analysts, report_summary
from analysis.judged_analyst import JudgedAnalyst
from analysis.moments import RecordedAction, moments
from analysis.report import MatchAnalyser, game_json
from games import bots, replay
from games.bots.gnubg import Gnubg
from games.bots.judge import Judge, JudgedEngine
from games.bots.plain import Plain
from games.bots.player import Player
from games.bots.strength import BEGINNER, WORLD
from games.registry import RULES
from tools.services.environment import missing

OPTIONS = {"cube": True, "cube_cap": 64, "crawford": True}
OPENED = replay.start(RULES["backgammon"], 5, OPTIONS)
UNDOUBLED = replay.start(RULES["backgammon"], 5, {"cube": False})


@pytest.fixture(params=[Gnubg(), Plain()], ids=lambda judge: judge.name)
def judge(request: pytest.FixtureRequest) -> Judge:
    if request.param.reason():
        missing("GNU Backgammon", install="apt install gnubg")
    return request.param


def played(judge: Judge) -> list[RecordedAction]:
    """One game without a cube: the strongest computer is White, a beginner Black."""
    players = {"white": Player(JudgedEngine(judge), WORLD), "black": Player(JudgedEngine(judge), BEGINNER)}
    chance, position, score = Random(11), UNDOUBLED.position, UNDOUBLED.score.view()
    done: list[tuple[str, str]] = [("white", "roll"), ("black", "roll")]
    while (turn := position.turn) != "over":
        if turn == "chance":
            text = chance.choice(list(position.actions()))
        else:
            text = position.auto or players[turn].decide(position, score, turn, seed=str(len(done))).action
        done.append((turn, text))
        position = position.after(text)
    return [RecordedAction(n, 1, *each) for n, each in enumerate(done, 1)]


def test_the_computer_plays_a_game_and_the_report_card_finds_who_erred(judge: Judge) -> None:
    analyser = MatchAnalyser(JudgedAnalyst(judge), "quick")
    for moment in moments(UNDOUBLED, played(judge)):
        analyser.judge(moment)
    game = game_json(UNDOUBLED, 1, JudgedAnalyst(judge)) | {"decisions": analyser.decisions, "rolls": analyser.rolls}
    assert game["start"] == 0.5
    sides = report_summary.summarise_sides([game], "white")
    strong, weak = (sides[side]["all"] for side in ("white", "black"))
    assert strong["decisions"] > 5
    assert weak["pr"] > strong["pr"] + 3
    assert all(abs(roll["luck"]) < 3 for roll in analyser.rolls)


def test_a_better_roll_is_luckier(judge: Judge) -> None:
    position = OPENED.position.after("dice 31").after("8/5 6/5")
    analyst, score = JudgedAnalyst(judge), OPENED.score.view()
    good, bad = (analyst.roll(position, score, "black", dice, "quick").luck for dice in ((6, 6), (4, 1)))
    assert good > 0 > bad


def test_the_rolls_of_an_opening_are_as_lucky_as_unlucky(judge: Judge) -> None:
    found = JudgedAnalyst(judge).roll(OPENED.position, OPENED.score.view(), "white", (3, 1), "quick", opening=True)
    assert found.average == pytest.approx(0.0, abs=1e-6)
    assert 0.1 < found.luck < 0.3


def test_the_played_one_is_judged_as_deep_as_the_best(judge: Judge) -> None:
    position = OPENED.position.after("dice 31")
    found = JudgedAnalyst(judge).plays(position, OPENED.score.view(), "white", "normal", "24/23 24/21")
    assert found.best.play == "8/5 6/5"
    assert found.of("24/23 24/21").plies == found.best.plies == min(1, judge.deepest) + 1
    assert found.of("24/23 24/21").loss > 0.1


def test_chances_to_win_the_match_go_with_the_score(judge: Judge) -> None:
    analyst, score = JudgedAnalyst(judge), OPENED.score.view()
    assert analyst.score_mwc(score, "white") == pytest.approx(0.5)
    assert analyst.score_mwc({**score, "white": 5}, "white") == 1.0
    assert analyst.score_mwc({**score, "white": 4, "crawford": True}, "white") > 0.75
    assert analyst.mwc(0.0, replace(OPENED).position, score, "white") == pytest.approx(0.5, abs=0.001)


def test_the_first_that_runs_here_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """bgsage, else GNU Backgammon, else our own."""
    usual = [bots.ENGINES[0], bots.ENGINES[1], bots.ENGINES[2]]
    monkeypatch.setattr("games.bots.sage._unavailable_reason", lambda: "bgsage cannot be loaded: hidden")
    monkeypatch.setattr("games.bots.gnubg.program", lambda: "/usr/games/gnubg")
    assert bots.engine_for("backgammon") is usual[1]
    assert analysts.analyst_for("backgammon").name == "GNU Backgammon 1"
    monkeypatch.setattr("games.bots.gnubg.program", lambda: None)
    assert bots.engine_for("nackgammon") is usual[2]
    assert analysts.analyst_for("backgammon").name == "Plain 1"
    assert bots.why_unavailable("backgammon") is None
