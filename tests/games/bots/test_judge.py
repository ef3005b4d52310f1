"""The engines for machines without bgsage: GNU Backgammon, and this project's own small nets."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games import replay
from games.bots import cube_equity, gnubg, small_net
from games.bots.engine_boards import flipped
from games.bots.gnubg import Gnubg
from games.bots.judge import Judge, JudgedEngine
from games.bots.plain import Plain
from games.bots.sage import Stakes
from games.engine import Position
from games.registry import RULES
from tests.games.bots.engine_positions import START, Table, board, score
from tools.services.environment import missing

MONEY = Stakes(0, 0, False, 1, "centered")
OPTIONS = {"cube": True, "cube_cap": 64, "crawford": True}


@pytest.fixture(params=[Gnubg(), Plain()], ids=lambda judge: judge.name)
def judge(request: pytest.FixtureRequest) -> Judge:
    if request.param.reason():
        missing("GNU Backgammon", install="apt install gnubg")
    return request.param


def opening(dice: str) -> Position:
    return replay.start(RULES["backgammon"], 7, OPTIONS).position.after(f"dice {dice}")


@pytest.mark.parametrize(("dice", "play"), [("31", "8/5 6/5"), ("42", "8/4 6/4"), ("61", "13/7 8/7"), ("65", "24/13")])
def test_it_plays_the_openings_that_everybody_plays(judge: Judge, dice: str, play: str) -> None:
    assert JudgedEngine(judge).choose(opening(dice), score(7), "white") == play


@pytest.mark.parametrize("effort", [1, 5])
def test_every_legal_play_is_rated_and_the_best_comes_first(judge: Judge, effort: int) -> None:
    position = opening("31")
    rated = JudgedEngine(judge).rate_actions(position, score(7), "white", effort=effort)
    assert sorted(each.action for each in rated) == sorted(position.actions())
    assert rated == sorted(rated, key=lambda each: (-each.equity, each.action))
    assert rated == JudgedEngine(judge).rate_actions(position, score(7), "white", effort=effort)


def test_who_has_nothing_to_decide_is_an_error(judge: Judge) -> None:
    with pytest.raises(ValueError, match="black has nothing to decide"):
        JudgedEngine(judge).rate_actions(opening("31"), score(7), "black")


RACE = board({6: 5, 5: 5, 4: 5}, {6: 5, 5: 5, 4: 4, 9: 1})
FAR_AHEAD = board({2: 2, 1: 2}, {6: 3, 5: 3})
GAMMON = board({1: 2}, {6: 15})


def test_it_doubles_when_far_ahead_and_rolls_at_the_start(judge: Judge) -> None:
    engine = JudgedEngine(judge)
    assert engine.choose(Table(FAR_AHEAD), score(7), "white") == "double"
    assert engine.choose(Table(START), score(7), "white") == "roll"


def test_it_drops_a_lost_game_and_takes_an_even_one(judge: Judge) -> None:
    engine = JudgedEngine(judge)
    answers = ("take", "drop")
    assert engine.choose(Table(flipped(FAR_AHEAD), choices=answers), score(7), "white") == "drop"
    assert engine.choose(Table(START, choices=answers), score(7), "white") == "take"


def test_it_takes_when_dropping_loses_the_match(judge: Judge) -> None:
    at_stake = score(7, 3, 6)
    assert JudgedEngine(judge).choose(Table(flipped(FAR_AHEAD), choices=("take", "drop")), at_stake, "white") == "take"


def test_it_accepts_what_is_as_good_as_playing_on(judge: Judge) -> None:
    engine = JudgedEngine(judge)
    assert engine.accepts(Table(FAR_AHEAD, levels=(1,)), score(7), "white", 1)
    assert not engine.accepts(Table(GAMMON), score(7), "white", 1)
    assert not engine.accepts(Table(START), score(7), "white", 0)


def test_in_a_match_points_are_worth_what_they_change() -> None:
    most, least = Stakes(3, 2, False, 1, "centered"), Stakes(5, 3, False, 1, "centered")
    assert [cube_equity.won(1, stakes) for stakes in (most, least)] == pytest.approx([1.0, 1.0])
    assert cube_equity.won(2, least) < 2.0 < cube_equity.won(2, most)
    assert (cube_equity.won(2, MONEY), cube_equity.won(2, replace(MONEY, value=2))) == (2.0, 1.0)


def test_a_game_that_is_won_has_the_equity_of_its_kind(judge: Judge) -> None:
    over = [0, *([0] * 24), 0]
    over[20] = -15
    [gammon] = judge.after_plays([over], replace(MONEY, owner=None))
    assert gammon.equity == 2.0
    assert gammon.chances == [1.0, 1.0, 0.0, 0.0, 0.0]


def test_both_sides_see_the_same_game(judge: Judge) -> None:
    [after] = judge.after_plays([START], replace(MONEY, owner=None))
    before = judge.before_roll(flipped(START), replace(MONEY, owner=None))
    assert after.equity == pytest.approx(-before.cube.hold, abs=1e-6)


def test_a_match_of_strangers_is_even(judge: Judge) -> None:
    assert judge.match_chance(5, 5, post_crawford=False) == pytest.approx(0.5)
    behind, ahead = (judge.match_chance(*away, post_crawford=False) for away in ((5, 2), (2, 5)))
    assert behind + ahead == pytest.approx(1.0)
    assert 0.2 < behind < 0.3


def test_gnubg_that_was_killed_is_started_again() -> None:
    if Gnubg().reason():
        missing("GNU Backgammon", install="apt install gnubg")
    before = Gnubg().before_roll(START, MONEY)
    [session] = gnubg._sessions.values()
    session.process.kill()
    session.process.wait()
    with pytest.raises(gnubg.GnubgFailed):
        Gnubg().before_roll(START, MONEY)
    assert Gnubg().before_roll(START, MONEY) == before


# The small nets


def test_chances_are_consistent_and_impossible_ends_have_none() -> None:
    chance = Random(7)
    for _ in range(200):
        own, other = [0] * 25, [0] * 25
        for _checker in range(chance.randint(1, 15)):
            own[chance.randint(1, 12)] += 1
        for _checker in range(chance.randint(1, 15)):
            other[chance.randint(1, 12)] += 1
        places = [0, *(own[n] - other[25 - n] for n in range(1, 25)), 0]
        won, gammon, backgammon, lost_gammon, lost_backgammon = small_net.chances(places)
        assert 0 <= backgammon <= gammon <= won <= 1
        assert 0 <= lost_backgammon <= lost_gammon <= 1 - won
        assert gammon == 0 or sum(other) == 15
        assert lost_gammon == 0 or sum(own) == 15


def test_a_race_is_one_when_nobody_can_be_hit() -> None:
    assert small_net.is_race(RACE)
    assert not small_net.is_race(START)
    assert not small_net.is_race(board({1: 2}, {1: 2}, bar=1))


# The cube of our own


def test_the_match_table_knows_the_crawford_game_and_what_follows() -> None:
    assert cube_equity.match_chance(1, 1) == 0.5
    assert cube_equity.match_chance(2, 1, post_crawford=True) == 0.5  # one double decides the match
    assert cube_equity.match_chance(2, 1) < 0.35
    assert cube_equity.match_chance(0, 3) == 1.0


@pytest.mark.parametrize("away", range(1, 12))
def test_the_match_table_is_near_the_engine_s(away: int) -> None:
    bgbot_cpp = pytest.importorskip("bgbot_cpp", reason="the package bgsage is not installed")
    for other in range(1, 12):
        assert abs(cube_equity.match_chance(away, other) - bgbot_cpp.get_met(away, other, False)) < 0.03


def test_equity_and_chance_are_the_same_thing() -> None:
    stakes = Stakes(5, 3, False, 2, "player")
    assert cube_equity.to_equity(cube_equity.to_chance(0.3, stakes), stakes) == pytest.approx(0.3)


def test_owning_the_cube_is_worth_something() -> None:
    even = [0.5, 0.1, 0.0, 0.1, 0.0]
    owned, centered, given = (
        cube_equity.worth(even, replace(MONEY, owner=owner)) for owner in ("player", "centered", "opponent")
    )
    assert centered == pytest.approx(0.0)
    assert owned > 0.1
    assert owned == pytest.approx(-given)


def test_a_cube_that_can_gain_nothing_is_dead() -> None:
    even = [0.5, 0.1, 0.0, 0.1, 0.0]
    last = Stakes(1, 1, False, 1, "centered")
    assert cube_equity.worth(even, last) == pytest.approx(0.0)
    assert cube_equity.worth([0.8, 0.0, 0.0, 0.0, 0.0], last) == pytest.approx(0.6)
