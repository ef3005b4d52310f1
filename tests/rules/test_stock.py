"""Checkers that are not entered yet: what the generator does with a stock, ready for acey-deucey."""

from __future__ import annotations

from backgammon.rules import Board, Plays, plays_of
from backgammon.rules.notation import write


def texts(stock: int, bar: int, points: dict[int, int], dice: tuple[int, int]) -> list[str]:
    """The canonical plays of a side alone on the board."""
    wire = [stock, bar, 0] + [points.get(point, 0) for point in range(1, 25)] + [0, 0, 0]
    plays = plays_of(Board.from_wire(wire, stock=True).code, dice)
    assert {code for node in Plays(plays.code, dice).tree for _, after, code in node if after < 0} == set(plays.results)
    return sorted(write(plays.half_moves_to(result)) for result in plays.results)


def test_the_stock_enters_on_25_minus_d_and_has_no_priority():
    assert texts(1, 0, {10: 1}, (2, 1)) == ["10/7", "stock/22", "stock/23 10/9", "stock/24 10/8"]


def test_the_bar_goes_before_the_stock():
    assert texts(1, 1, {}, (2, 1)) == ["bar/22", "stock/23 bar/24"]


def test_no_checker_is_borne_off_while_some_are_in_stock():
    assert texts(1, 0, {1: 1}, (1, 1)) == ["stock/21"]


def test_doubles_enter_the_stock_too():
    assert texts(4, 0, {}, (6, 6)) == [
        "stock/1",
        "stock/13 stock/19(2)",
        "stock/13(2)",
        "stock/19(4)",
        "stock/7 stock/19",
    ]
