"""The score of a match between two games (B13, B14)."""

from __future__ import annotations

import pytest

from backgammon.rules import Score
from backgammon.rules.scoring import Outcome

WON = {side: Outcome(side, 2, "gammon") for side in ("white", "black")}


def test_a_score_without_more_is_the_start_of_a_match_to_five():
    assert Score() == Score(length=5, white=0, black=0, crawford_played=False, has_crawford=True)


def test_the_winner_of_a_game_gets_its_points():
    assert Score(7).after(WON["white"]).after(WON["black"]).after(WON["white"]) == Score(7, 4, 2)
    assert [Score(7, 4, 2).points(side) for side in ("white", "black")] == [4, 2]


@pytest.mark.parametrize("side", ["white", "black"])
def test_the_crawford_game_is_played_once_whoever_wins_it(side):
    crawford = Score(7, 6, 3)
    assert crawford.crawford
    assert crawford.after(WON[side]).crawford_played
    assert not crawford.after(WON[side]).crawford
    assert not Score(7, 5, 3).after(WON[side]).crawford_played


def test_a_game_without_a_winner_scores_nothing_and_may_be_the_crawford_game():
    nobody = Outcome(None, 1, "drawn")
    assert Score(7, 6, 3).after(nobody) == Score(7, 6, 3, crawford_played=True)
    assert Score(7, 5, 3).after(nobody) == Score(7, 5, 3)
    assert Score(7, 6, 3, crawford_played=True).after(nobody) == Score(7, 6, 3, crawford_played=True)


@pytest.mark.parametrize(
    ("score", "crawford"),
    [
        (Score(7, 6, 0), True),
        (Score(7, 0, 6), True),
        (Score(7, 5, 5), False),
        (Score(7, 6, 0, has_crawford=False), False),
        (Score(7, 6, 6, crawford_played=True), False),
        (Score(7, 6, 7), False),
        (Score(1, 0, 0), False),
        (Score(2, 1, 0), True),
        (Score(0, 3, 0), False),
    ],
)
def test_the_crawford_game_is_the_first_at_match_point(score, crawford):
    assert score.crawford is crawford
    assert score.view() == {
        "length": score.length,
        "white": score.white,
        "black": score.black,
        "crawford": crawford,
    }


def test_the_points_that_a_side_needs():
    assert [Score(7, 4, 9).needed(side) for side in ("white", "black")] == [3, 0]
    assert Score(0, 4, 9).needed("white") is None


@pytest.mark.parametrize(
    ("score", "winner"),
    [(Score(7, 6, 6), None), (Score(7, 7, 2), "white"), (Score(7, 2, 8), "black"), (Score(0, 99, 0), None)],
)
def test_who_reaches_the_length_has_won(score, winner):
    assert score.winner == winner


@pytest.mark.parametrize("wrong", [-1, 1.0, True, None, "1"])
@pytest.mark.parametrize("name", ["length", "white", "black"])
def test_a_score_is_made_of_whole_numbers(name, wrong):
    with pytest.raises(ValueError, match=f"{name} must be a whole number"):
        Score(**{name: wrong})


def test_a_snapshot_has_all_and_older_ones_had_a_crawford_game():
    score = Score(7, 6, 3, crawford_played=True, has_crawford=False)
    assert score.snapshot() == {
        "length": 7,
        "white": 6,
        "black": 3,
        "crawford_played": True,
        "has_crawford": False,
    }
    assert Score.restore(score.snapshot()) == score
    assert Score.restore({"length": 7, "white": 6, "black": 3}) == Score(7, 6, 3)
