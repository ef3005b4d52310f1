"""The board drawn in plain text."""

from __future__ import annotations

from textwrap import dedent

from backgammon.rules import Score

from .positions import game, to_move


def picture(text: str) -> str:
    return dedent(text).strip("\n")


def test_the_viewer_s_checkers_are_x_and_move_to_the_lower_right():
    position = to_move({25: 1, 6: 7, 1: 2}, {2: 2, 13: 6, 25: 1}, dice=(6, 5), score=Score(5, 4, 1))
    assert (
        position.diagram("white").splitlines()
        == picture(
            """
        - O black: 143 pips, 6 off
        +13-14-15-16-17-18-+BAR+-19-20-21-22-23-24-+
        | O                | O |                   |
        | O                |   |                   |
        | O                |   |                   |
        | O                |   |                   |
        | 6                |   |                   |
        |                  |   |                   |
        |                  |   |  7                |
        |                  |   |  X                |
        |                  |   |  X                |
        |                  |   |  X           O  X |
        |                  | X |  X           O  X |
        +12-11-10--9--8--7-+BAR+--6--5--4--3--2--1-+
          X white: 69 pips, 5 off
          white: move 65; cube 1; white 4, black 1, to 5, Crawford
        """
        )
        .replace("-", " ", 1)
        .splitlines()
    )


def test_the_opponent_sees_the_same_board_from_the_other_side():
    position = game("dice 31", "8/5 6/5", "double", "take", score=Score(0))
    assert (
        position.diagram("black").splitlines()[1:]
        == picture(
            """
        +13-14-15-16-17-18-+BAR+-19-20-21-22-23-24-+
        | X           O    |   |  O  O           X |
        | X           O    |   |  O  O           X |
        | X                |   |  O                |
        | X                |   |  O                |
        | X                |   |                   |
        |                  |   |                   |
        | O                |   |  X                |
        | O                |   |  X                |
        | O           X    |   |  X                |
        | O           X    |   |  X              O |
        | O           X    |   |  X              O |
        +12-11-10--9--8--7-+BAR+--6--5--4--3--2--1-+
          X black: 167 pips, 0 off
          black: roll; cube 2 (white); white 0, black 0, money
        """
        ).splitlines()
    )


def test_checkers_that_are_not_entered_stand_beside_the_board():
    lines = to_move({26: 15}, {26: 14, 25: 1}, dice=None, variant="acey-deucey").diagram("white").splitlines()
    assert lines[0] == "  O black: 375 pips, 0 off, 14 not entered"
    assert lines[2] == "|                  | O |                   |"
    assert lines[-2:] == ["  X white: 375 pips, 0 off, 15 not entered", "  white: roll; white 0, black 0, to 5"]
