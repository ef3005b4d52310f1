"""Why the better decision is better, in words that are true of both boards."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from analysis import telling, words
from analysis.engine import Chances, Cube
from games.bots.boards import after
from tests.analysis.boards import START, board


def of(played: str, better: str, before: list[int] = START) -> list[words.Word]:
    return words.of_play(before, after(before, played), after(before, better))


def codes(played: str, better: str, before: list[int] = START) -> list[str]:
    return [code for code, _params in of(played, better, before)]


def test_the_better_play_makes_a_point_at_home() -> None:
    assert of("24/21 24/23", "8/5 6/5") == [["makes_home", {"point": 5}]]


def test_the_better_play_leaves_fewer_men_open() -> None:
    assert of("13/11 6/5", "13/11 24/23") == [["open_more", {"men": 2, "shots": 15, "better": 2}]]


def test_the_better_play_hits() -> None:
    before = board({6: 5, 8: 3, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 4, 20: 1, 24: 2})
    assert codes("13/10", "6/5*/3", before)[0] == "hit"


def test_the_better_play_keeps_the_anchor() -> None:
    before = board({20: 2, 6: 5, 8: 3, 13: 5}, {6: 5, 8: 3, 13: 5, 24: 2})
    assert "keeps_anchor" in codes("20/14", "13/7", before)


def test_in_a_race_nothing_is_said_of_points_and_shots() -> None:
    before = board({6: 6, 5: 2, 10: 2}, {6: 6, 5: 2})
    assert of("10/7 10/8", "10/5", before) == [["other", {}]]


def test_bearing_off_one_man_more() -> None:
    before = board({6: 1, 5: 1, 1: 1}, {1: 2})
    assert of("6/5 5/off", "6/off 1/off", before) == [["off_more", {"men": 1}]]


def cube(**facts: float) -> Cube:
    chances = Chances(facts.pop("win", 0.7), facts.pop("gammon", 0.2), 0.0, 0.1, 0.0)
    given = {"hold": 0.5, "taken": 0.6, "dropped": 1.0, "take_point": 0.25, "double_point": 0.68, **facts}
    return Cube(chances=chances, **given)


@pytest.mark.parametrize(
    ("played", "found", "said"),
    [
        ("roll", cube(win=0.74), ["double_missed", {"win": 74}]),
        ("roll", cube(win=0.8, taken=1.2), ["cash_missed", {"win": 80}]),
        ("double", cube(win=0.6, hold=0.4, taken=0.2), ["double_early", {"win": 60, "from": 68}]),
        ("double", cube(win=0.9, gammon=0.5, hold=1.2, taken=1.5), ["too_good", {"gammons": 50}]),
        ("double", cube(win=0.7, hold=0.7, taken=0.6), ["double_wrong", {"win": 70}]),
    ],
)
def test_what_was_wrong_with_the_cube(played: str, found: Cube, said: words.Word) -> None:
    assert words.of_double(played, found) == [said]


@pytest.mark.parametrize(
    ("played", "found", "said"),
    [
        ("take", cube(win=0.8, taken=1.2), ["take_low", {"win": 20, "need": 25}]),
        ("drop", cube(win=0.7), ["drop_high", {"win": 30, "need": 25}]),
        ("take", cube(win=0.7, taken=1.1), ["take_wrong", {"win": 30}]),
        ("drop", cube(win=0.8), ["drop_wrong", {"win": 20}]),
    ],
)
def test_what_was_wrong_with_the_answer(played: str, found: Cube, said: words.Word) -> None:
    assert words.of_answer(played, found) == [said]


def test_every_code_has_a_sentence() -> None:
    numbers = dict.fromkeys(("point", "points", "men", "shots", "better", "pips", "win", "need", "from", "gammons"), 2)
    with override("en"):
        for code in (*telling.SENTENCES, "open_more", "open_safe", "dares", "off_more"):
            said = telling.sentence([code, numbers])
            assert "%(" not in said
            assert "%%" not in said


def test_the_sentences_of_one_and_of_many() -> None:
    with override("en"):
        assert telling.sentence(["open_safe", {"men": 1, "shots": 11}]) == (
            "You left 1 man open, whom 11 rolls of 36 hit; the better play leaves none."
        )
        assert telling.sentence(["open_more", {"men": 2, "shots": 20, "better": 4}]) == (
            "You left 2 men open, whom 20 rolls of 36 hit; after the better play 4 do."
        )


def test_levels() -> None:
    with override("en"):
        assert [telling.level(rate) for rate in (None, 2.0, 7.9, 40.0)] == [
            "",
            "world class",
            "strong club player",
            "still learning",
        ]
