"""A decision is asked again with its player as White, and an answer is judged by the resulting position."""

from __future__ import annotations

import pytest

from analysis.puzzles import Puzzle, UnplayablePuzzle, gap_of, options_of, swap_sides
from games.formats import position_ids as ids

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:6"
PLAYS = [["8/5 6/5", 0.15], ["24/23 13/10", 0.0], ["6/5 24/21", -0.02]]
RACE = "XGID=-BBCCC------------bcddb--A:1:-1:-1:00:4:2:0:7:10"


def test_swapped_colours_are_the_same_position() -> None:
    assert swap_sides(swap_sides(RACE)) == RACE
    position, swapped = ids.read(OPENING), ids.read(swap_sides(OPENING))
    assert position.view(None)["board"]["white"] == swapped.view(None)["board"]["black"]
    assert (position.turn, swapped.turn) == ("white", "black")


def test_a_play_is_judged_by_the_resulting_position() -> None:
    puzzle = Puzzle.read(OPENING, PLAYS)
    assert puzzle.judged("6/5 8/5") == ("8/5 6/5", 0.0)
    assert puzzle.judged("24/20") == ("24/20", None)
    text, loss = puzzle.judged("24/21 6/5")
    assert (text, round(loss or 0, 3)) == ("6/5 24/21", 0.17)


@pytest.mark.parametrize("answer", ["", "8/3", "double", "x" * 500])
def test_an_illegal_play_is_no_answer(answer: str) -> None:
    with pytest.raises(UnplayablePuzzle):
        Puzzle.read(OPENING, PLAYS).judged(answer)


def test_a_cube_decision_has_two_answers() -> None:
    roll = OPENING.replace(":31:", ":00:")
    puzzle = Puzzle.read(roll, [["roll", 0.07], ["double", -0.3]])
    assert puzzle.choices == ("double", "roll")
    assert puzzle.judged("double") == ("double", pytest.approx(0.37))
    with pytest.raises(UnplayablePuzzle):
        puzzle.judged("take")
    assert puzzle.situation()["may"] == ["roll", "double"]


def test_take_options_are_valued_for_the_side_that_answers() -> None:
    cube = {"hold": 0.6, "taken": 1.1, "dropped": 1.0}
    assert options_of({"kind": "take", "cube": cube}) == [("drop", -1.0), ("take", -1.1)]
    assert options_of({"kind": "double", "cube": cube}) == [("double", 1.0), ("roll", 0.6)]
    assert gap_of([("drop", -1.0), ("take", -1.1)]) == pytest.approx(0.1)
