"""Gauges of chance: a needle in its bands, and the triangle of the rolls."""

from __future__ import annotations

import re

from django.utils.translation import override

from games import dice_statistics
from games.charts import ExpectationRow, expectation_table, roll_table
from games.dice_statistics import Comparison

FAIR = {
    dice: dice_statistics.compare_count(
        round(360 * dice_statistics.probability_of(dice)), 360, dice_statistics.probability_of(dice)
    )
    for dice in dice_statistics.DICE
}


def test_the_rolls_form_a_triangle() -> None:
    chart = roll_table(FAIR, title="Rolls")
    rows = re.findall(r'<tr><th scope="row">(\d)</th>(.*?)</tr>', chart)
    assert [(int(high), row.count('class="roll ')) for high, row in rows] == [(n, n) for n in range(1, 7)]
    assert '<td class="roll verdict-even"><b>10</b>' in chart
    assert "style=" not in chart


def test_a_roll_shows_the_expected_count_and_whether_it_is_rare() -> None:
    with override("en"):
        chart = roll_table(
            {
                **FAIR,
                66: dice_statistics.compare_count(30, 360, 1 / 36),
                65: dice_statistics.compare_count(11, 360, 1 / 18),
            },
            title="Rolls",
        )
    assert (
        '<td class="roll verdict-far-over"><b>30</b><span class="roll-sign" aria-hidden="true">▲▲</span>'
        '<small><span class="visually-hidden">expected </span>10.0</small>'
        '<span class="visually-hidden">, very rare: 1 in 100</span>' in chart
    )
    assert '<td class="roll verdict-under"><b>11</b><span class="roll-sign" aria-hidden="true">▼</span>' in chart


def test_many_rolls_are_given_in_percent() -> None:
    with override("es"):
        chart = roll_table({**FAIR, 66: dice_statistics.compare_count(27, 360, 1 / 36)}, title="Tiradas", of=360)
    assert "<b>7,50</b>" in chart
    assert "</span>2,78</small>" in chart


def test_a_gauge_draws_its_bands_around_the_middle() -> None:
    value = Comparison(15, 10, (8, 12), (7, 13))
    with override("en"):
        chart = expectation_table([ExpectationRow("Doubles", value, "15%", "10%")], title="Dice")
    assert '<rect class="gauge-possible" x="18.8" width="62.5" height="12"/>' in chart
    assert '<rect class="gauge-likely" x="29.2" width="41.7" height="12"/>' in chart
    assert '<path class="gauge-needle" d="M99 0V12"/>' in chart
    assert "<td>15%</td><td>10%</td>" in chart
    assert '<td class="verdict verdict-far-over"><span aria-hidden="true">▲▲</span> very rare: 1 in 100</td>' in chart


def test_a_missing_band_is_not_an_error() -> None:
    assert "gauge-needle" in expectation_table(
        [ExpectationRow("x", Comparison(0, 0, (0, 0), (0, 0)), "0", "0")], title=""
    )
