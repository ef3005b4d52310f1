"""How men and kings move and capture (D1-D5): tables for each ruling, a plain oracle, and perft."""

from __future__ import annotations

from itertools import islice

import pytest

from draughts import Board, fen, moves_of, played
from draughts.board import NUMBERS
from draughts.notation import texts
from draughts.perft import perft

from . import oracle
from .positions import scattered, wandering


def captures(text: str, *, quantity: bool = False) -> list[str]:
    """The texts of the captures in a position."""
    return list(texts(moves_of(*fen.read(text), quantity=quantity).captures))


def quiet(text: str) -> list[str]:
    """The texts of the moves that take nothing."""
    return list(texts(moves_of(*fen.read(text)).quiet))


def after(text: str, move: str) -> str:
    """The FEN after a move, without the side to move."""
    board, colour = fen.read(text)
    moves = moves_of(board, colour)
    return fen.write(played(board, texts(moves.captures + moves.quiet)[move]), colour)[2:]


class TestD1MenAndTheBoard:
    def test_fifteen_men_each_stand_on_their_first_three_rows(self):
        start = Board.start()
        assert start.men("black") == tuple(range(1, 16))
        assert start.men("white") == tuple(range(36, 51))
        assert start.kings_of("black") == start.kings_of("white") == ()

    def test_a_light_square_is_at_each_players_bottom_right(self):
        assert (9, 9) not in oracle.SQUARE
        assert (0, 0) not in oracle.SQUARE
        assert oracle.SQUARE[9, 0] == 46

    @pytest.mark.parametrize(
        ("position", "moves"),
        [
            ("B:W36:B17", ["17-21", "17-22"]),
            ("B:W36:B16", ["16-21"]),
            ("B:W36:B15", ["15-20"]),
            ("W:W36:B1", ["36-31"]),
            ("W:W34:B1", ["34-29", "34-30"]),
            ("B:W21,22,26,28:B17", []),
            ("B:W50:B17,21,22", ["21-26", "21-27", "22-27", "22-28"]),
        ],
    )
    def test_a_man_steps_one_square_forward(self, position, moves):
        assert quiet(position) == moves

    @pytest.mark.parametrize(
        ("position", "moves"),
        [
            ("B:W22:B17", ["17x28"]),
            ("W:W28:B22", ["28x17"]),
            ("B:W12:B17", []),
            ("W:W12:B17", []),
            ("B:W28:B17", []),
            ("B:W22,28:B17", []),
            ("B:W26:B21", []),
            ("B:W36:B17,22", []),
        ],
    )
    def test_it_captures_forward_only_over_an_adjacent_opponent(self, position, moves):
        assert captures(position) == moves

    def test_the_captured_man_is_removed(self):
        assert after("B:W22,36:B17", "17x28") == "W36:B28"


class TestD2Captures:
    @pytest.mark.parametrize(
        ("position", "moves"),
        [
            ("B:W22,33:B17", ["17x39"]),
            ("B:W22,32,33:B17", ["17x37", "17x39"]),
            ("B:W21,22,33:B17", ["17x26", "17x39"]),
            ("W:W33,39:B28,29", ["33x22", "33x24"]),
        ],
    )
    def test_a_capture_continues_until_the_piece_can_capture_no_more(self, position, moves):
        assert captures(position) == moves

    def test_all_captured_pieces_are_removed(self):
        assert after("B:W22,33,36:B17", "17x39") == "W36:B39"

    def test_the_number_captured_is_free_without_ley_de_cantidad(self):
        assert captures("B:W21,22,33:B17") == ["17x26", "17x39"]
        assert captures("B:W21,22,33:B17", quantity=True) == ["17x39"]

    def test_two_captures_with_the_same_ends_are_distinguished_by_their_squares(self):
        assert captures("B:W12,13,22,23:B8") == ["8x17x28", "8x19x28"]


class TestD3KingFirst:
    def test_if_a_king_can_capture_no_man_captures(self):
        assert captures("B:W21:B17") == ["17x26"]
        assert {move.split("x")[0] for move in captures("B:W21,34:B17,K45")} == {"45"}

    def test_a_king_that_cannot_capture_leaves_it_to_the_men(self):
        assert captures("B:W21:B17,K50") == ["17x26"]

    def test_kings_first_precedes_the_number_captured(self):
        assert captures("B:W22,33:B17") == ["17x39"]
        assert captures("B:W10,22,33:B17,38,K4", quantity=True) == ["4x15", "4x27", "4x31", "4x36"]


class TestD4Kings:
    def test_a_king_flies_any_distance_both_ways(self):
        assert quiet("B:W36:BK46")[:3] == ["46-5", "46-10", "46-14"]
        assert [int(move.split("-")[1]) for move in quiet("B:W50:BK28")] == sorted(
            [32, 37, 41, 46, 33, 39, 44, 22, 17, 11, 6, 23, 19, 14, 10, 5]
        )

    def test_it_captures_at_any_distance_and_lands_on_any_free_square_behind(self):
        assert captures("B:W34:BK45") == ["45x1", "45x7", "45x12", "45x18", "45x23", "45x29"]
        assert captures("B:W34,12:B7,K45") == ["45x18", "45x23", "45x29"]

    @pytest.mark.parametrize("position", ["B:W21,26:BK17", "B:W34,29:BK45", "B:W36:B34,K45", "B:W46:BK41"])
    def test_it_never_jumps_two_in_a_row_nor_its_own(self, position):
        assert captures(position) == []

    def test_captured_pieces_stay_until_the_end_and_none_is_jumped_twice(self):
        assert captures("B:W7,40:BK12") == ["12x1", "12x45"]

    def test_the_starting_square_counts_as_free(self):
        assert "25x25" in captures("B:W13,14,30,32:BK25")
        assert after("B:W13,14,30,32,46:BK25", "25x25") == "W46:BK25"


class TestD5Crowning:
    @pytest.mark.parametrize(
        ("position", "move", "crowned"),
        [
            ("B:W36:B41", "41-46", "W36:BK46"),
            ("W:W6:B40", "6-1", "WK1:B40"),
            ("B:W41,36:B37", "37x46", "W36:BK46"),
            ("B:W36:BK41", "41-46", "W36:BK46"),
        ],
    )
    def test_a_man_on_the_opponents_back_row_is_crowned(self, position, move, crowned):
        assert after(position, move) == crowned

    def test_its_move_ends_there(self):
        assert captures("W:W11:B7,8") == ["11x2"]
        assert captures("W:WK2:B8")[0].startswith("2x")


def pieces(board: Board) -> oracle.Squares:
    """A board as the oracle sees it."""
    squares = {square: (colour, False) for colour in ("black", "white") for square in board.men(colour)}
    return squares | {square: (colour, True) for colour in ("black", "white") for square in board.kings_of(colour)}


def test_the_plain_oracle_agrees_on_scattered_and_on_played_boards():
    boards = [(board, colour) for board in islice(scattered(1), 150) for colour in ("black", "white")]
    for board, colour in [*boards, *islice(wandering(2), 300)]:
        captured, still = moves_of(board, colour)
        assert [(*move[:2], move.takes) for move in captured] == sorted(oracle.captures(pieces(board), colour))
        assert [(*move[:2], move.takes) for move in still] == sorted(oracle.quiet(pieces(board), colour))


def test_the_path_of_a_capture_lands_once_for_each_captured_piece():
    for board, colour in islice(((board, "white") for board in scattered(3)), 300):
        for move in moves_of(board, colour).captures:
            assert (move.path[0], move.path[-1]) == (move.source, move.target)
            assert len(move.path) == len(move.takes) + 1


def test_the_two_colours_are_mirror_images():
    for board in islice(scattered(4), 100):
        turned = [sum(1 << bit for bit in _turned(squares)) for squares in (board.white, board.black, board.kings)]
        assert len(moves_of(board, "black").captures) == len(moves_of(Board(*turned), "white").captures)
        assert len(moves_of(board, "black").quiet) == len(moves_of(Board(*turned), "white").quiet)


def _turned(squares: int) -> list[int]:
    """The bits of a set after half a turn of the board: square n becomes 51 - n."""
    return [(50 - n) + (50 - n) // 10 for n in NUMBERS if squares >> (n - 1 + (n - 1) // 10) & 1]


class TestPerft:
    """The counts of both modes, without huffs."""

    @pytest.mark.parametrize(
        ("compulsory", "counts"), [(True, [9, 81, 810, 8100]), (False, [9, 81, 810, 8100])], ids=["taking", "free"]
    )
    def test_perft_agrees_to_depth_4(self, compulsory, counts):
        assert [perft(Board.start(), "black", depth, compulsory=compulsory) for depth in range(1, 5)] == counts

    @pytest.mark.parametrize(("compulsory", "counts"), [(True, [88900, 957965]), (False, [89994, 999213])])
    def test_perft_agrees_to_depth_6(self, compulsory, counts):
        assert [perft(Board.start(), "black", depth, compulsory=compulsory) for depth in (5, 6)] == counts

    def test_the_last_ply_is_counted_as_it_is_made(self):
        for board in islice(scattered(5), 50):
            for colour in ("black", "white"):
                moves = moves_of(board, colour)
                counts = [perft(board, colour, 1, compulsory=compulsory) for compulsory in (True, False)]
                assert counts[1] == len(moves.captures) + len(moves.quiet)
                assert counts[0] == (len(moves.captures) or len(moves.quiet))
