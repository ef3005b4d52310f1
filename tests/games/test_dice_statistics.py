"""Statistics of fair dice, against published tables and sums done by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from games import dice_statistics


def test_the_twenty_one_rolls_cover_thirty_six_outcomes() -> None:
    assert len(dice_statistics.DICE) == 21
    assert sum(dice_statistics.probability_of(dice) for dice in dice_statistics.DICE) == pytest.approx(1)
    assert sum(
        dice_statistics.probability_of(dice) * dice_statistics.pips_of(dice) for dice in dice_statistics.DICE
    ) == pytest.approx(49 / 6)
    assert (dice_statistics.pips_of(31), dice_statistics.pips_of(66)) == (4, 24)


def test_a_double_is_rolled_once_in_six_and_few_rolls_prove_little() -> None:
    doubles = [dice for dice in dice_statistics.DICE if dice % 11 == 0]
    assert pytest.approx(sum(map(dice_statistics.probability_of, doubles))) == dice_statistics.P_DOUBLE
    assert pytest.approx(49 / 6) == dice_statistics.PIPS
    assert (dice_statistics.MIN_ROLLS, dice_statistics.MIN_ROLLS_FOR_P_VALUE) == (200, 42)


def test_the_pips_of_a_roll_scatter_by_665_36ths() -> None:
    assert pytest.approx(665 / 36) == dice_statistics.PIPS_VARIANCE


# Abramowitz and Stegun, table 26.8: percentage points of chi-square.
@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.84146, 1, 0.05),
        (6.63490, 1, 0.01),
        (0.01579, 1, 0.9),
        (5.99147, 2, 0.05),
        (11.0705, 5, 0.05),
        (31.4104, 20, 0.05),
        (37.5662, 20, 0.01),
        (19.3374, 20, 0.5),
        (8.26040, 20, 0.99),
        (49.8018, 35, 0.05),
    ],
)
def test_the_tail_of_chi_square_matches_the_tables(statistic: float, freedom: int, p: float) -> None:
    assert dice_statistics.tail_of(statistic, freedom) == pytest.approx(p, rel=1e-4)


def test_empty_counts_do_not_differ() -> None:
    assert dice_statistics.tail_of(0, 20) == 1
    assert dice_statistics.chi_square({}) == (0.0, 1.0)


def test_no_chance_is_more_than_certain() -> None:
    """Rounding adds these terms up to a little more than 1."""
    assert dice_statistics.tail_of(0.4, 35) == 1


def test_even_counts_fit_fair_dice_perfectly() -> None:
    even = {dice: round(360 * dice_statistics.probability_of(dice)) for dice in dice_statistics.DICE}
    statistic, p_value = dice_statistics.chi_square(even)
    assert statistic == pytest.approx(0)
    assert p_value == pytest.approx(1)


def test_the_rolls_have_twenty_degrees_of_freedom() -> None:
    even = {dice: round(360 * dice_statistics.probability_of(dice)) for dice in dice_statistics.DICE}
    statistic, p_value = dice_statistics.chi_square({**even, 31: 30, 32: 10})
    assert statistic == pytest.approx(10)
    assert p_value == pytest.approx(0.96817, abs=1e-5)


def test_dice_that_only_roll_sixes_are_not_fair() -> None:
    statistic, p_value = dice_statistics.chi_square({66: 36})
    assert statistic == pytest.approx(36 * 35)
    assert p_value < 1e-200


@pytest.mark.parametrize(("trials", "p"), [(1, 1 / 36), (10, 1 / 6), (100, 1 / 18), (400, 1 / 36)])
@pytest.mark.parametrize("level", dice_statistics.LEVELS)
def test_a_band_excludes_no_more_than_its_tails(trials: int, p: float, level: float) -> None:
    """Summed exactly, in fractions."""
    exact, tail = Fraction(p), Fraction(1 - level) / 2
    mass = [Fraction(math.comb(trials, k)) * exact**k * (1 - exact) ** (trials - k) for k in range(trials + 1)]
    low, high = dice_statistics.band(trials, p, level)
    assert sum(mass[:low]) <= tail < sum(mass[: low + 1])
    assert sum(mass[high + 1 :]) <= tail < sum(mass[high:])


def test_a_band_of_many_rolls_is_the_normal_one() -> None:
    low, high = dice_statistics.band(1_000_000, 1 / 6, 0.95)
    reach = 1.96 * math.sqrt(1_000_000 * 5 / 36)
    assert (low, high) == (pytest.approx(166_667 - reach, abs=2), pytest.approx(166_667 + reach, abs=2))


def test_there_is_no_band_without_rolls() -> None:
    assert dice_statistics.compare_count(0, 0, 1 / 6) == dice_statistics.Comparison(0, 0, (0, 0), (0, 0))


def test_a_count_is_compared_with_the_bands_of_its_trials() -> None:
    value = dice_statistics.compare_count(34, 144, 1 / 6)
    assert (value.found, value.expected, value.verdict) == (34, pytest.approx(24), 1)
    assert (value.likely, value.possible) == (
        dice_statistics.band(144, 1 / 6, 0.95),
        dice_statistics.band(144, 1 / 6, 0.99),
    )


def test_a_verdict_says_on_which_side_and_how_far_out() -> None:
    likely, possible = (10.0, 20.0), (5.0, 25.0)
    verdicts = [dice_statistics.Comparison(found, 15, likely, possible).verdict for found in (4, 7, 10, 15, 20, 22, 26)]
    assert verdicts == [-2, -1, 0, 0, 0, 1, 2]


def test_a_sum_has_the_normal_band() -> None:
    value = dice_statistics.compare_sum(8.5, dice_statistics.PIPS, 0.01)
    assert value.likely == (
        pytest.approx(dice_statistics.PIPS - 0.196, abs=1e-4),
        pytest.approx(dice_statistics.PIPS + 0.196, abs=1e-4),
    )
    assert value.verdict == 2
