"""Seats and byes."""

from __future__ import annotations

from typing import Literal

import pytest

from tournaments.formats.core import Bye, Seed
from tournaments.formats.seeding import bracket_size, seating, seats


def seated(entrants: int, byes: Literal["top", "drawn"] = "top", late: int = 0) -> list[int]:
    """The seeds from the top, 0 for a bye."""
    return [place.n if isinstance(place, Seed) else 0 for place in seating(entrants, byes, late)]


def test_the_smallest_bracket_for_all_entrants_is_used():
    assert [bracket_size(n) for n in (2, 3, 4, 5, 8, 9, 128, 129)] == [2, 4, 4, 8, 8, 16, 128, 256]


def test_the_seats_from_the_top():
    assert seats(2) == (1, 2)
    assert seats(4) == (1, 4, 2, 3)
    assert seats(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert seats(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


@pytest.mark.parametrize("size", [2, 4, 8, 16, 32, 64, 128, 256, 512])
def test_seed_numbers_add_up_in_each_round_if_favourites_win(size):
    left = list(seats(size))
    while len(left) > 1:
        pairs = list(zip(left[::2], left[1::2], strict=True))
        assert {a + b for a, b in pairs} == {len(left) + 1}
        left = [min(pair) for pair in pairs]


def test_byes_go_to_the_top_seeds():
    assert seated(5) == [1, 0, 4, 5, 2, 0, 3, 0]
    assert seated(6) == [1, 0, 4, 5, 2, 0, 3, 6]
    assert seated(7) == [1, 0, 4, 5, 2, 7, 3, 6]


def test_drawn_byes_go_to_places():
    assert seated(5, "drawn") == [1, 0, 4, 5, 2, 0, 3, 0]
    assert seated(6, "drawn") == [1, 6, 4, 0, 2, 5, 3, 0]
    assert seated(7, "drawn") == [1, 7, 4, 5, 2, 0, 3, 6]
    assert seated(13, "drawn") == [1, 13, 8, 0, 4, 12, 5, 11, 2, 0, 7, 9, 3, 0, 6, 10]


@pytest.mark.parametrize("byes", ["top", "drawn"])
def test_everybody_sits_once_and_no_two_byes_meet(byes):
    for entrants in range(2, 513):
        places = seated(entrants, byes)
        assert sorted(places)[-entrants:] == list(range(1, entrants + 1))
        assert places.count(0) == bracket_size(entrants) - entrants
        assert all(a or b for a, b in zip(places[::2], places[1::2], strict=True))


def test_drawn_byes_are_spread_over_the_bracket():
    for entrants in range(2, 513):
        byes = [isinstance(place, Bye) for place in seating(entrants, "drawn")]
        part = len(byes)
        while part > 2:
            part //= 2
            counts = [sum(byes[start : start + part]) for start in range(0, len(byes), part)]
            assert max(counts) - min(counts) <= 1


def test_late_entrants_take_byes_and_nobody_else_moves():
    assert seated(5, "top", 1) == seated(5)
    assert seated(5, "drawn") == [1, 0, 4, 5, 2, 0, 3, 0]
    assert seated(6, "drawn", 1) == [1, 6, 4, 5, 2, 0, 3, 0]
    assert seated(7, "drawn", 2) == [1, 6, 4, 5, 2, 7, 3, 0]
    assert seated(8, "drawn", 3) == [1, 6, 4, 5, 2, 7, 3, 8]


def test_without_a_bye_for_the_late_all_are_seated_anew():
    assert seated(5, "drawn", 1) == seated(5, "drawn")
    assert seated(9, "drawn", 2) == seated(9, "drawn")
