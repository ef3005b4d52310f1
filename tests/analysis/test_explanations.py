"""Explanations of the better decision that hold for both boards."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from analysis import explanation_texts, explanations
from analysis.engine import Chances, Cube
from games.bots.engine_boards import after
from tests.analysis.boards import START, board


def of(played: str, better: str, before: list[int] = START) -> list[explanations.Word]:
    return explanations.explain_play(before, after(before, played), after(before, better))


def codes(played: str, better: str, before: list[int] = START) -> list[str]:
    return [code for code, _params in of(played, better, before)]


def test_the_better_play_makes_a_point_at_home() -> None:
    assert of("24/21 24/23", "8/5 6/5") == [["makes_home", {"point": 5}]]


def test_a_hint_speaks_of_the_best_play_alone() -> None:
    assert explanations.praise_play(START, after(START, "13/11 6/5"), after(START, "13/11 24/23")) == [
        ["safer", {"shots": 2}]
    ]
    second, best = after(START, "24/23 13/10"), after(START, "8/5 6/5")
    assert explanations.praise_play(START, second, best) == [["safe", {}], ["makes_home", {"point": 5}]]


def test_the_better_play_leaves_fewer_blots() -> None:
    assert of("13/11 6/5", "13/11 24/23") == [["open_more", {"checkers": 2, "shots": 15, "better": 2}]]


def test_the_better_play_hits() -> None:
    before = board({6: 5, 8: 3, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 4, 20: 1, 24: 2})
    assert codes("13/10", "6/5*/3", before)[0] == "hit"


def test_the_better_play_keeps_the_anchor() -> None:
    before = board({20: 2, 6: 5, 8: 3, 13: 5}, {6: 5, 8: 3, 13: 5, 24: 2})
    assert "keeps_anchor" in codes("20/14", "13/7", before)


def test_in_a_race_points_and_shots_are_not_mentioned() -> None:
    before = board({6: 6, 5: 2, 10: 2}, {6: 6, 5: 2})
    assert of("10/7 10/8", "10/5", before) == [["other", {}]]


def test_the_better_play_bears_off_one_more_checker() -> None:
    before = board({6: 1, 5: 1, 1: 1}, {1: 2})
    assert of("6/5 5/off", "6/off 1/off", before) == [["off_more", {"checkers": 1}]]


def cube(**facts: float) -> Cube:
    chances = Chances(facts.pop("win", 0.7), facts.pop("gammon", 0.2), 0.0, 0.1, 0.0)
    values = {"hold": 0.5, "double_take": 0.6, "double_drop": 1.0, "take_point": 0.25, "double_point": 0.68, **facts}
    return Cube(chances=chances, **values)


@pytest.mark.parametrize(
    ("played", "found", "expected"),
    [
        ("roll", cube(win=0.74), ["double_missed", {"win": 74}]),
        ("roll", cube(win=0.8, double_take=1.2), ["cash_missed", {"win": 80}]),
        ("double", cube(win=0.6, hold=0.4, double_take=0.2), ["double_early", {"win": 60, "from": 68}]),
        ("double", cube(win=0.9, gammon=0.5, hold=1.2, double_take=1.5), ["too_good", {"gammons": 50}]),
        ("double", cube(win=0.7, hold=0.7, double_take=0.6), ["double_wrong", {"win": 70}]),
    ],
)
def test_a_cube_error_is_explained(played: str, found: Cube, expected: explanations.Word) -> None:
    assert explanations.explain_double(played, found) == [expected]


@pytest.mark.parametrize(
    ("played", "found", "expected"),
    [
        ("take", cube(win=0.8, double_take=1.2), ["take_low", {"win": 20, "need": 25}]),
        ("drop", cube(win=0.7), ["drop_high", {"win": 30, "need": 25}]),
        ("take", cube(win=0.7, double_take=1.1), ["take_wrong", {"win": 30}]),
        ("drop", cube(win=0.8), ["drop_wrong", {"win": 20}]),
    ],
)
def test_a_take_or_drop_error_is_explained(played: str, found: Cube, expected: explanations.Word) -> None:
    assert explanations.explain_cube_response(played, found) == [expected]


def test_every_code_has_a_sentence() -> None:
    names = ("point", "points", "checkers", "shots", "better", "pips", "win", "need", "from", "gammons")
    numbers = dict.fromkeys(names, 2)
    with override("en"):
        for code in (*explanation_texts.SENTENCES, "open_more", "open_safe", "dares", "off_more"):
            expected = explanation_texts.sentence([code, numbers])
            assert "%(" not in expected
            assert "%%" not in expected


def test_sentences_have_singular_and_plural_forms() -> None:
    with override("en"):
        assert explanation_texts.sentence(["open_safe", {"checkers": 1, "shots": 11}]) == (
            "Your play leaves 1 blot: 11 of 36 rolls hit. The best play leaves none."
        )
        assert explanation_texts.sentence(["open_more", {"checkers": 2, "shots": 20, "better": 4}]) == (
            "Your play leaves 2 blots: 20 of 36 rolls hit, against 4 after the best play."
        )


def test_levels_depend_on_similarity() -> None:
    with override("en"):
        assert [explanation_texts.skill_level(rate) for rate in (None, 2.0, 7.9, 40.0)] == [
            "",
            "world class",
            "advanced",
            "still learning",
        ]
