"""Error rates are summed over matches, phases and kinds."""

from __future__ import annotations

from analysis.error_rates import Decision, ErrorSum, add_parts, error_parts

MATCH = [
    Decision("play", "opening", 0.02),
    Decision("play", "contact", 0.1),
    Decision("play", "contact", 0.0, obvious=True),
    Decision("double", "cube", 0.05),
]


def test_obvious_decisions_do_not_count() -> None:
    assert ErrorSum.of(MATCH) == ErrorSum(3, 0.17)
    assert round(ErrorSum.of(MATCH).rate or 0, 2) == 28.33
    assert ErrorSum().rate is None


def test_error_rates_are_split_by_phase_and_kind() -> None:
    assert error_parts(MATCH) == {
        "opening": [1, 0.02],
        "contact": [1, 0.1],
        "cube": [1, 0.05],
        "play": [2, 0.12],
        "double": [1, 0.05],
    }


def test_error_rate_parts_are_summed_over_matches() -> None:
    total = add_parts([{"race": [2, 0.1]}, {"race": [3, 0.2], "cube": [1, 0.0]}])
    assert (total["race"].decisions, round(total["race"].lost, 6)) == (5, 0.3)
    assert total["cube"] == ErrorSum(1, 0.0)
