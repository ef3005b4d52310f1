"""The board as a value: its parts, and what they say together (B1, B6, B8)."""

from __future__ import annotations

import pytest

from backgammon.rules import Board
from backgammon.rules.board import BAR, OFF, STOCK, places_of, wire_of, wires_of

from .positions import board

MIXED = board({26: 1, 25: 2, 24: 3, 6: 4, 1: 1}, {26: 2, 25: 1, 23: 2, 12: 5, 2: 1})
"""Eleven checkers of each are on it or wait; four are off."""


def test_each_part_of_a_board_has_a_name():
    assert (MIXED.stock, MIXED.bar, MIXED.off) == (1, 2, 4)
    assert (MIXED.opponent_stock, MIXED.opponent_bar, MIXED.opponent_off) == (2, 1, 4)
    assert (MIXED.points[0], MIXED.points[1], MIXED.points[5], MIXED.points[22], MIXED.points[23]) == (1, -1, 4, -2, 3)
    assert MIXED.checkers == (15, 15)


def test_the_flipped_board_is_that_of_the_opponent():
    flipped = MIXED.flipped()
    assert flipped == board({26: 2, 25: 1, 2: 2, 13: 5, 23: 1}, {26: 1, 25: 2, 1: 3, 19: 4, 24: 1})
    assert flipped.flipped() == MIXED
    assert (flipped.stock, flipped.bar, flipped.off) == (2, 1, 4)


def test_pips_count_25_on_the_bar_and_before_entering():
    assert MIXED.pips == (25 * 3 + 3 * 24 + 4 * 6 + 1, 25 * 3 + 2 * 2 + 5 * 13 + 23)


def test_a_board_is_one_number_and_thirty():
    assert Board.from_wire(MIXED.to_wire(), stock=True) == MIXED
    assert wire_of(MIXED.code) == MIXED.wire == tuple(MIXED.to_wire())
    assert wires_of([MIXED.code, MIXED.flipped().code]) == [MIXED.wire, MIXED.flipped().wire]
    places = places_of(MIXED.code)
    assert [places[place] - 128 for place in (OFF, 1, 2, 6, 12, 23, 24, BAR, STOCK)] == [4, 1, -1, 4, -5, -2, 3, 2, 1]


def test_a_setup_is_the_same_for_both_and_counts_add_up():
    setup = Board.setup(((24, 1), (24, 1), (6, 3), (BAR, 2), (STOCK, 1), (OFF, 1)))
    assert setup == setup.flipped()
    assert (setup.points[23], setup.points[5], setup.points[0], setup.points[18]) == (2, 3, -2, -3)
    assert (setup.stock, setup.bar, setup.off, setup.opponent_stock, setup.opponent_bar, setup.opponent_off) == (
        *(1, 2, 1),
        *(1, 2, 1),
    )


@pytest.mark.parametrize(("count", "fits"), [(100, True), (101, False), (-100, True), (-101, False)])
def test_a_place_holds_up_to_a_hundred(count, fits):
    wire = [0] * 30
    wire[10] = count
    if fits:
        assert Board.from_wire(wire).to_wire() == wire
    else:
        with pytest.raises(ValueError, match="too many"):
            Board.from_wire(wire)


@pytest.mark.parametrize("place", [0, 1, 2, 27, 28, 29])
def test_stock_bar_and_off_are_never_negative(place):
    wire = [0] * 30
    wire[place] = -1
    with pytest.raises(ValueError, match="negative"):
        Board.from_wire(wire, stock=True)


@pytest.mark.parametrize("place", [0, 27])
def test_only_some_games_have_checkers_to_be_entered(place):
    wire = [0] * 30
    wire[place] = 1
    assert Board.from_wire(wire, stock=True).to_wire() == wire
    with pytest.raises(ValueError, match="waiting to be entered"):
        Board.from_wire(wire)


@pytest.mark.parametrize(
    ("own", "opposing", "contact"),
    [
        ({6: 1}, {5: 1}, True),
        ({6: 1}, {7: 1}, False),
        ({24: 1, 1: 1}, {2: 1}, True),
        ({3: 1, 1: 1}, {4: 1, 24: 1}, False),
        ({6: 1}, {}, False),
        ({}, {6: 1}, False),
        ({25: 1}, {}, True),
        ({26: 1}, {}, True),
        ({}, {25: 1}, True),
        ({}, {26: 1}, True),
        ({24: 1}, {1: 1}, True),
        ({1: 1}, {24: 1}, False),
    ],
)
def test_there_is_contact_while_a_checker_has_yet_to_pass_another(own, opposing, contact):
    assert board(own, opposing).contact is contact


@pytest.mark.parametrize(
    ("own", "opposing", "closed_out"),
    [
        ({25: 1}, dict.fromkeys(range(19, 25), 2), True),
        ({24: 1}, {**dict.fromkeys(range(19, 24), 2), 12: 2}, False),
        ({6: 1}, dict.fromkeys(range(19, 25), 2), False),
        ({25: 1}, {**dict.fromkeys(range(20, 25), 2), 19: 1}, False),
        ({25: 1}, {**dict.fromkeys(range(19, 24), 2), 24: 1}, False),
        ({25: 1}, dict.fromkeys(range(18, 24), 2), False),
    ],
)
def test_closed_out_is_who_is_on_the_bar_before_six_points(own, opposing, closed_out):
    assert board(own, opposing).closed_out is closed_out
