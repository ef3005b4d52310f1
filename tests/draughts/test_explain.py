"""Why a move is illegal: the reason, its ruling and the squares of the case."""

from __future__ import annotations

import pytest

from draughts import Illegal

from .positions import game, to_move


@pytest.mark.parametrize(
    ("position", "attempt", "code", "ruling", "params"),
    [
        ("B:W22,50:B11,17", "11-51", "no_such_square", "D1", {"square": 51}),
        ("B:W22,50:B11,17", "0-11", "no_such_square", "D1", {"square": 0}),
        ("B:W22,50:B11,17", "12-18", "not_your_man", "D1", {"square": 12}),
        ("B:W22,50:B11,17", "22-18", "not_your_man", "D1", {"square": 22}),
        ("B:W22,50:B11,17", "11-17", "square_taken", "D1", {"square": 17}),
        ("B:W22,50:B11,17", "17-22", "square_taken", "D1", {"square": 22}),
        ("B:W22,50:B11,17", "11-21", "not_diagonal", "D1", {}),
        ("B:W22,50:B11,17", "11-11", "not_diagonal", "D1", {}),
        ("B:W22,50:B11,17", "17-12", "men_forward", "D1", {}),
        ("B:W12,50:B11,17", "17x8", "men_forward", "D1", {}),
        ("B:W22,50:B11,17", "17-26", "one_step", "D1", {}),
        ("B:W22,50:B11,17", "11x22", "square_taken", "D1", {"square": 22}),
        ("B:W28,50:B11,17", "11x22", "nothing_to_take", "D1", {}),
        ("B:W28,50:B11,17", "17x21", "nothing_to_take", "D1", {}),
        ("B:W22,33,50:B17", "17x28", "capture_unfinished", "D2", {}),
        ("B:W22,33,50:B17", "17x26x39", "not_that_way", "D2", {}),
        ("B:W21,34:B17,K45", "17x26", "king_first", "D3", {"square": 45}),
        ("B:W34,29:BK45", "45x23", "way_blocked", "D4", {"square": 34}),
        ("B:W22:BK45,34", "45-29", "way_blocked", "D4", {"square": 34}),
        ("B:W22:BK45", "45x29", "nothing_to_take", "D4", {}),
        ("B:W22,50:B11,17", "", "unreadable_move", "", {"text": ""}),
    ],
)
def test_the_most_helpful_reason_is_given(position, attempt, code, ruling, params):
    assert to_move(position).why("", attempt) == {"code": code, "ruling": ruling, "params": params}


def test_a_legal_move_has_no_reason():
    assert to_move("B:W22,50:B11,17").why("", "17x28") is None
    assert to_move("B:W22,50:B11,17").why("", "11-16") is None


def test_compulsory_captures_are_the_reason_in_the_mode_obligatoria_and_after_compel():
    taking = to_move("B:W22,50:B11,17", mode="obligatoria")
    assert taking.why("", "11-16") == {"code": "must_capture", "ruling": "D8", "params": {}}
    compelled = to_move("B:W22,50:B11,17", "11-16", "compel")
    assert compelled.why("", "11-16") == {"code": "compelled", "ruling": "D8", "params": {}}


def test_ley_de_cantidad_says_how_many_must_be_taken():
    position = to_move("B:W21,22,33,50:B17", ley_cantidad=True)
    assert position.why("", "17x26") == {"code": "more_must_be_taken", "ruling": "D2", "params": {"men": 2}}


def test_a_capture_may_continue_from_squares_already_visited():
    position = to_move("B:W22,33,50:B17")
    assert position.why("17x28", "28x39") is None
    assert position.why("17x28", "28x37")["code"] == "not_diagonal"
    assert position.why("17", "28x39")["code"] == "unreadable_move"
    longer = to_move("B:W22,33,43,50:B17")
    assert longer.why("17x28x39", "39x48") is None
    assert longer.why("17x28x39", "48x50")["code"] == "square_taken"


def test_when_there_is_nothing_to_move_it_says_so():
    assert game().why("", "11-16") == {"code": "not_now", "ruling": "", "params": {"phase": "opening"}}
    over = to_move("B:W22:B17", "17x28")
    assert over.why("", "28-32") == {"code": "not_now", "ruling": "", "params": {"phase": "over"}}
    for position, phase in ((game(), "opening"), (over, "over")):
        with pytest.raises(Illegal) as refused:
            position.after(" 28-32 ")
        assert refused.value.params == {"action": "28-32", "phase": phase}


def test_a_refusal_is_printed_with_its_ruling_and_numbers():
    assert str(Illegal("not_your_man", "D1", square=12)) == "not_your_man: D1 (square=12)"
    assert str(Illegal("must_capture", "D8")) == "must_capture: D8"
    assert Illegal("must_capture", "D8").args == ("must_capture", "D8")
