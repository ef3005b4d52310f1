"""The ranking of error rates shows their margins of error."""

from __future__ import annotations

import pytest

from analysis.error_ranking import known_rate, rank_players
from analysis.error_rates import ErrorSum

STEADY = [ErrorSum(100, 1.0), ErrorSum(100, 1.0), ErrorSum(100, 1.0), ErrorSum(100, 1.0)]
WILD = [ErrorSum(100, 0.2), ErrorSum(100, 2.2), ErrorSum(100, 0.4), ErrorSum(100, 1.6)]


def test_too_few_decisions_or_matches_give_no_rate() -> None:
    assert known_rate([ErrorSum(90, 1.0)] * 3) is None
    assert known_rate([ErrorSum(400, 1.0), ErrorSum(10, 0.0)]) is None


def test_equal_matches_leave_no_doubt() -> None:
    found = known_rate(STEADY)
    assert found is not None
    assert (found.matches, found.decisions, found.rate, found.margin) == (4, 400, 5.0, 0.0)


def test_the_margin_is_that_of_a_ratio_over_matches() -> None:
    """Residuals -0.9, 1.1, -0.7, 0.5: standard error sqrt(2.76 * 4/3) / 400, times 500 and 1.96."""
    found = known_rate(WILD)
    assert found is not None
    assert found.rate == pytest.approx(5.5)
    assert found.margin == pytest.approx(4.70, abs=0.005)
    assert found.low == pytest.approx(0.80, abs=0.01)


def test_the_lowest_rate_is_first_and_ties_are_marked() -> None:
    ranked = rank_players(
        [("bea", WILD), ("ana", STEADY), ("carlos", [ErrorSum(10, 0.0)]), ("dora", [ErrorSum(100, 9.0)] * 4)]
    )
    assert [(place.place, place.player, place.level) for place in ranked] == [
        (1, "ana", False),
        (2, "bea", True),
        (3, "dora", False),
    ]
