"""The analyst: its results are deterministic, agree with the bot's nets, and depend on the score."""

from __future__ import annotations

import pytest

from analysis.analysts import analyst_for, why_not
from analysis.sage_analyst import SageAnalyst
from tests.analysis.boards import START, board
from tests.games.bots.engine_positions import Table, score

SAGE = SageAnalyst()


@pytest.fixture(autouse=True)
def engine() -> None:
    if reason := SAGE.reason():
        pytest.skip(reason)


def test_the_same_query_has_the_same_answer() -> None:
    table = Table(START, ("8/5 6/5", "24/23 13/10", "13/9"))
    first = SAGE.plays(table, score(7), "white", "quick")  # type: ignore[arg-type]
    SAGE.plays(Table(START, ("24/18 13/11", "24/22 13/7")), score(5), "white", "quick")  # type: ignore[arg-type]
    assert SAGE.plays(table, score(7), "white", "quick") == first  # type: ignore[arg-type]
    assert first.best.play == "8/5 6/5"


def test_the_played_move_is_evaluated_as_deeply_as_the_best() -> None:
    table = Table(START, ("8/5 6/5", "24/23 13/10", "13/9", "6/5 6/3"))
    found = SAGE.plays(table, score(7), "white", "quick", "6/5 6/3")  # type: ignore[arg-type]
    assert {each.play: each.plies for each in found.candidates} == {
        "8/5 6/5": 2,
        "6/5 6/3": 2,
        "24/23 13/10": 1,
        "13/9": 1,
    }
    assert found.of("6/5 6/3").loss > 0.2


def test_a_turn_without_a_legal_play_is_not_judged() -> None:
    with pytest.raises(ValueError, match="no play"):
        SAGE.plays(Table(START, ("roll", "double")), score(7), "white", "quick")  # type: ignore[arg-type]


def test_the_bear_off_is_exact() -> None:
    """Four checkers on the lowest points: five doubles of 36 rolls bear them all off before the opponent does."""
    race = Table(board({2: 2, 1: 2}, {1: 1}))
    found = SAGE.cube(race, score(0), "white", "quick")  # type: ignore[arg-type]
    assert found.chances.win == pytest.approx(5 / 36, abs=1e-4)
    assert found.answer == "hold"


def test_the_window_of_money_play() -> None:
    found = SAGE.cube(Table(START), score(0), "white", "quick")  # type: ignore[arg-type]
    assert found.take_point is not None
    assert found.cash_point is not None
    assert 0.18 < found.take_point < 0.3
    assert found.take_point == pytest.approx(1 - found.cash_point)


def test_the_cube_is_useless_at_one_point_to_go() -> None:
    crawford = SAGE.cube(Table(START), score(5, 4, 0, crawford=True), "white", "quick")  # type: ignore[arg-type]
    assert (crawford.take_point, crawford.double_point) == (None, None)


def test_luck_is_zero_on_average() -> None:
    table = Table(START, turn="chance", rollers=("white",))
    rolls = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
    found = [SAGE.roll(table, score(7), "white", dice, "quick") for dice in rolls]  # type: ignore[arg-type]
    total = sum(each.luck * (1 if high == low else 2) for each, (high, low) in zip(found, rolls, strict=True))
    assert total == pytest.approx(0, abs=1e-5)


def test_an_opening_roll_is_lucky_because_it_was_won() -> None:
    table = Table(START, turn="chance", rollers=("white", "black"))
    found = SAGE.roll(table, score(7), "white", (4, 1), "quick", opening=True)  # type: ignore[arg-type]
    assert found.average == pytest.approx(0, abs=1e-6)
    assert found.luck == found.equity


def test_chances_to_win_the_match() -> None:
    level, ahead = score(7), score(7, 5, 2)
    assert SAGE.score_mwc(level, "white") == pytest.approx(0.5)
    assert SAGE.score_mwc(ahead, "white") == pytest.approx(1 - (SAGE.score_mwc(ahead, "black") or 0))
    assert (SAGE.score_mwc(score(7, 7, 2), "white"), SAGE.score_mwc(score(7, 7, 2), "black")) == (1.0, 0.0)
    assert SAGE.score_mwc(score(0), "white") is None
    table = Table(START)
    assert SAGE.mwc(0.0, table, level, "white") == pytest.approx(0.5)  # type: ignore[arg-type]
    assert SAGE.mwc(0.0, table, score(0), "white") is None  # type: ignore[arg-type]


def test_supported_matches_are_recognised() -> None:
    assert analyst_for("backgammon") is not None
    assert why_not("backgammon", {"cube": True, "crawford": True}) is None
    assert why_not("acey") == "engine_variant"
    assert why_not("backgammon", {"desahogo": True}) == "engine_options"
