"""A match to N in halves (D9)."""

from __future__ import annotations

import json

import pytest

from draughts import Outcome, Score

WIN = {side: Outcome(side, 1, "game", "white") for side in ("white", "black")}
DRAW = Outcome(None, 1, "agreement", "black")


def played(length: int, *outcomes: Outcome) -> Score:
    """The score of a match to `length` after these games."""
    score = Score(length)
    for outcome in outcomes:
        score = score.after(outcome)
    return score


def test_a_match_is_one_game_unless_agreed():
    assert Score() == Score(length=1, white=0, black=0, had_black=None)


def test_a_win_counts_one_and_a_draw_a_half_each():
    score = played(3, WIN["white"], DRAW)
    assert (score.points("white"), score.points("black")) == (1.5, 0.5)
    assert score.view() == {"length": 3, "white": 1.5, "black": 0.5}


def test_whole_points_are_whole_numbers():
    assert json.dumps(played(3, WIN["white"]).view()) == '{"length": 3, "white": 1, "black": 0}'


@pytest.mark.parametrize(
    ("outcomes", "winner"),
    [
        ([], None),
        ([WIN["white"]], None),
        ([WIN["white"], WIN["white"]], "white"),
        ([WIN["black"], DRAW, DRAW], "black"),
        ([DRAW, DRAW, WIN["black"]], "black"),
        ([WIN["white"], WIN["black"], DRAW], None),
        ([DRAW] * 4, None),
        ([DRAW] * 5, None),
        ([DRAW] * 5 + [WIN["white"]], "white"),
        ([WIN["white"], WIN["black"], DRAW, DRAW], None),
        ([WIN["white"], WIN["black"], DRAW, DRAW, WIN["black"]], "black"),
    ],
)
def test_reaching_the_length_in_the_lead_wins_and_a_tie_continues(outcomes, winner):
    assert played(2, *outcomes).winner == winner


def test_colours_alternate():
    assert Score(3).black_next is None
    assert played(3, WIN["white"]).black_next == "black"
    assert played(3, WIN["white"], DRAW).black_next == "white"


def test_a_game_flagged_before_its_roll_leaves_the_colours_to_the_next_roll():
    assert played(3, Outcome("white", 1, "flag")).black_next is None


@pytest.mark.parametrize("length", [0, -1, 1.0, True, None, "3"])
def test_a_length_is_a_whole_number_of_1_or_more(length):
    with pytest.raises(ValueError, match="length"):
        Score(length)


def test_it_is_kept_in_half_points():
    score = played(3, WIN["white"], DRAW)
    assert score.snapshot() == {"length": 3, "white": 3, "black": 1, "had_black": "black"}
    assert Score.restore(json.loads(json.dumps(score.snapshot()))) == score
