"""Moves and positions as texts: one canonical form, many accepted ones."""

from __future__ import annotations

from itertools import islice

import pytest

from draughts import Board, Illegal, fen
from draughts.notation import ParsedMove, parse

from .positions import scattered, to_move

CIRCLES = "B:W12,13,22,23:B8"
"""8x17x28 and 8x19x28."""


@pytest.mark.parametrize(
    ("position", "written", "canonical"),
    [
        ("B:W22,50:B11,17", "11-16", "11-16"),
        ("B:W22,50:B11,17", "11 16", "11-16"),
        ("B:W22,50:B11,17", "  11  -  16 ", "11-16"),
        ("B:W22,50:B11,17", "17x28", "17x28"),
        ("B:W22,50:B11,17", "17X28", "17x28"),
        ("B:W22,50:B11,17", "17:28", "17x28"),
        ("B:W22,50:B11,17", "17 28", "17x28"),
        ("B:W22,50:B11,17", "17-28", "17x28"),
        ("B:W22,33,50:B17", "17x39", "17x39"),
        ("B:W22,33,50:B17", "17x28x39", "17x39"),
        ("B:W22,33,50:B17", "17 28 39", "17x39"),
        (CIRCLES, "8x17x28", "8x17x28"),
        (CIRCLES, "8 19 28", "8x19x28"),
        ("B:W13,14,30,32,46:BK25", "25x9x27x43x25", "25x25"),
        ("B:W13,14,30,32,46:BK25", "25x27x25", "25x25"),
        ("B:W13,14,30,32,46:BK25", "25x25", "25x25"),
    ],
)
def test_a_move_may_be_written_in_many_ways_and_is_kept_in_one(position, written, canonical):
    assert to_move(position).canonical(written) == canonical
    assert to_move(position).after(written) == to_move(position).after(canonical)


@pytest.mark.parametrize("written", ["8x28", "8 28", "8-28"])
def test_a_text_that_fits_two_captures_is_refused(written):
    with pytest.raises(Illegal) as refused:
        to_move(CIRCLES).after(written)
    assert (refused.value.code, refused.value.ruling) == ("ambiguous_capture", "D2")
    assert refused.value.params == {"text": "8x28"}


def test_a_text_that_names_every_landing_square_means_that_capture_and_no_longer_one():
    """The king on 28 takes 19, or first the four men around 38 and then 19."""
    position = to_move("B:W19,32,33,42,43:BK28,20,10")
    ends = [move.takes for move in position.moves if (move.source, move.target) == (28, 14)]
    assert ends == [(19,), (19, 32, 33, 42, 43)]
    assert position.after("28x14").state.board.men("white") == (32, 33, 42, 43)


CIRCUIT = "W:WK49:B11,12,21"
"""49-40 is a quiet move of the king; 49x40 takes all three men."""


class TestAKingThatCouldFlyToWhereACaptureEnds:
    @pytest.mark.parametrize("written", ["49-40", "49 40"])
    def test_a_quiet_move_is_never_read_as_a_capture(self, written):
        taking = to_move(CIRCUIT, mode="obligatoria")
        assert ("49x40" in taking.actions(), "49-40" in taking.actions()) == (True, False)
        with pytest.raises(Illegal) as refused:
            taking.after(written)
        assert (refused.value.code, refused.value.ruling) == ("must_capture", "D8")
        assert to_move(CIRCUIT).canonical(written) == "49-40"

    def test_nor_after_compel(self):
        with pytest.raises(Illegal) as refused:
            to_move(CIRCUIT, "49-40", "compel").after("49-40")
        assert (refused.value.code, refused.value.ruling) == ("compelled", "D8")

    @pytest.mark.parametrize("written", ["49x40", "49:40"])
    def test_the_capture_has_its_sign(self, written):
        taken = to_move(CIRCUIT, mode="obligatoria").after(written)
        assert taken.state.board.black == 0
        assert to_move(CIRCUIT).canonical(written) == "49x40"

    def test_where_it_could_not_fly_a_hyphen_may_stand_for_the_capture(self):
        assert to_move("W:WK49:B44", mode="obligatoria").canonical("49-40") == "49x40"


@pytest.mark.parametrize("written", ["", "11", "11-", "-16", "11--16", "11/16", "a3-b4", "111-16", "11-16x", "١١-١٦"])
def test_an_invalid_move_cannot_be_read(written):
    with pytest.raises(Illegal, match="unreadable_move"):
        to_move(CIRCLES).after(written)


def test_huffs_are_kept_in_one_form():
    position = to_move("B:W22,36,50:B1,11,17", "1-6")
    assert position.canonical(" HUFF  17") == "huff 17"
    assert position.canonical("Compel") == "compel"


class TestFen:
    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("B:W36,K40:B1,2", "B:W36,K40:B1,2"),
            ("B:B2,1:WK40,36", "B:W36,K40:B1,2"),
            (" w : w 36 , k40 : b 1 .", "W:W36,K40:B1"),
            ("B:W36-50:B1-15", fen.write(Board.start(), "black")),
            ("B:WK36-38:B1", "B:WK36,K37,K38:B1"),
            ("W:W:BK50", "W:W:BK50"),
            ("B:W6:B", "B:W6:B"),
        ],
    )
    def test_it_is_read_in_many_forms_and_written_in_one(self, text, written):
        assert fen.write(*fen.read(text)) == written

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", "side:W"),
            ("B:W36", "side:W"),
            ("X:W36:B1", "side to move"),
            ("B:W36:W37", "once each"),
            ("B:W36:1", "once each"),
            ("B:W36:B51", "numbered 1 to 50"),
            ("B:W0:B1", "numbered 1 to 50"),
            ("B:W38-36:B1", "numbered 1 to 50"),
            ("B:W36:B36", "36 twice"),
            ("B:W36,36:B1", "36 twice"),
            ("B:W36,K36:B1", "36 twice"),
            ("B:W36-38:B37", "37 twice"),
            ("B:W36,:B1", "where a square should be"),
            ("B:W36:Bx", "where a square should be"),
            ("B:W36:B46", "square 46 would have been crowned"),
            ("B:W3:B11", "square 3 would have been crowned"),
            ("B:W" + "36," * 500 + ":B1", "too long"),
        ],
    )
    def test_an_invalid_position_is_refused(self, text, problem):
        with pytest.raises(ValueError, match=problem):
            fen.read(text)

    def test_the_fen_describes_the_whole_board(self):
        for board in islice(scattered(7), 200):
            assert fen.read(fen.write(board, "white")) == (board, "white")


@pytest.mark.parametrize(
    ("written", "squares", "sign"),
    [
        ("11-16", (11, 16), "-"),
        ("11 16", (11, 16), ""),
        ("17x28", (17, 28), "x"),
        ("17:28", (17, 28), "x"),
        ("17 x 28", (17, 28), "x"),
        ("17X22X28", (17, 22, 28), "x"),
        ("  1 -  7 ", (1, 7), "-"),
    ],
)
def test_a_move_is_read_as_its_squares_and_its_sign(written, squares, sign):
    assert parse(written) == ParsedMove(squares, sign)


def test_an_act_has_up_to_100_characters():
    position = to_move("B:W22,50:B11,17")
    assert position.canonical("11-16" + " " * 95) == "11-16"
    with pytest.raises(Illegal, match="unreadable_move"):
        position.canonical("11-16" + " " * 96)


def test_a_move_is_read_up_to_100_characters_and_a_position_up_to_600():
    squares = "x".join(["11"] * 33)
    assert parse(f"{squares}x1").squares[-1] == 1  # 100
    with pytest.raises(Illegal):
        parse(f"{squares}x11")
    position = "B:W22:B17"
    assert fen.read(position + " " * 591) == fen.read(position)
    with pytest.raises(ValueError, match="too long"):
        fen.read(position + " " * 592)
