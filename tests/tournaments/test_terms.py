"""Match lengths, clocks and deadlines by round."""

from __future__ import annotations

import pytest

from tests.tournaments.conftest import terms
from tournaments.formats.core import Invalid
from tournaments.terms import Terms, is_main


def test_the_last_length_is_for_all_later_rounds() -> None:
    chosen = terms(lengths=[7, 9, 11, 13], side_lengths=[5])
    assert [chosen.length("main", round_) for round_ in (1, 2, 3, 4, 5)] == [7, 9, 11, 13, 13]
    assert [chosen.length(section, 2) for section in ("consolation", "last", "losers")] == [5, 5, 5]
    assert chosen.length("final", 1) == 13
    assert terms(lengths=[7, 9]).length("consolation", 2) == 9


def test_clocks_and_deadlines_may_change_by_round() -> None:
    chosen = terms(clock="blitz", clocks=["blitz", "club"], round_hours=24, hours=[48, 72])
    assert [chosen.clock_of(round_) for round_ in (1, 2, 3)] == ["blitz", "club", "club"]
    assert [chosen.hours_of(round_) for round_ in (1, 2, 3)] == [48, 72, 72]
    plain = terms(clock="slow", round_hours=24)
    assert (plain.clock_of(3), plain.hours_of(3)) == ("slow", 24)


def test_terms_are_read_as_they_were_written() -> None:
    chosen = terms("swiss", config={"rounds": 4}, lengths=[5, 7], clocks=["club"], hours=[24], options={"cube_cap": 64})
    assert Terms.read(chosen.as_json()) == chosen


@pytest.mark.parametrize("lengths", [[], [0], [100], [2.5], ["7"], [True]])
def test_a_length_is_a_whole_number_of_points_from_1_to_99(lengths: list[object]) -> None:
    with pytest.raises(Invalid) as error:
        terms(lengths=lengths)
    assert error.value.code == "lengths"


def test_only_sections_of_the_main_event_have_rounds_of_their_own_time() -> None:
    assert all(is_main(section) for section in ("main", "swiss", "league", "losses", "group-2", "division-1"))
    assert not any(is_main(section) for section in ("consolation", "last", "losers", "final"))
