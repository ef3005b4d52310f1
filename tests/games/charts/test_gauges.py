"""Numbers against chance: a needle in its bands, and the staircase of the rolls."""

from __future__ import annotations

import re

from django.utils.translation import override

from games import chance
from games.chance import Found
from games.charts import Gauge, gauges, rolls

FAIR = {dice: chance.counted(round(360 * chance.chance_of(dice)), 360, chance.chance_of(dice)) for dice in chance.DICE}


def test_the_rolls_stand_in_a_staircase() -> None:
    chart = rolls(FAIR, title="Rolls")
    rows = re.findall(r'<tr><th scope="row">(\d)</th>(.*?)</tr>', chart)
    assert [(int(high), row.count('class="roll ')) for high, row in rows] == [(n, n) for n in range(1, 7)]
    assert '<td class="roll verdict-even"><b>10</b>' in chart
    assert "style=" not in chart


def test_a_roll_says_what_was_expected_and_whether_that_is_rare() -> None:
    with override("en"):
        chart = rolls({**FAIR, 66: chance.counted(30, 360, 1 / 36), 65: chance.counted(11, 360, 1 / 18)}, title="Rolls")
    assert (
        '<td class="roll verdict-far-over"><b>30</b><span class="roll-sign" aria-hidden="true">▲▲</span>'
        '<small><span class="visually-hidden">expected </span>10.0</small>'
        '<span class="visually-hidden">, very rare: 1 in 100</span>' in chart
    )
    assert '<td class="roll verdict-under"><b>11</b><span class="roll-sign" aria-hidden="true">▼</span>' in chart


def test_many_rolls_are_given_in_hundredths_of_all() -> None:
    with override("es"):
        chart = rolls({**FAIR, 66: chance.counted(27, 360, 1 / 36)}, title="Tiradas", of=360)
    assert "<b>7,50</b>" in chart
    assert "</span>2,78</small>" in chart


def test_a_gauge_draws_its_bands_around_the_middle() -> None:
    value = Found(15, 10, (8, 12), (7, 13))
    with override("en"):
        chart = gauges([Gauge("Doubles", value, "15%", "10%")], title="Dice")
    assert '<rect class="gauge-possible" x="18.8" width="62.5" height="12"/>' in chart
    assert '<rect class="gauge-likely" x="29.2" width="41.7" height="12"/>' in chart
    assert '<path class="gauge-needle" d="M99 0V12"/>' in chart
    assert "<td>15%</td><td>10%</td>" in chart
    assert '<td class="verdict verdict-far-over"><span aria-hidden="true">▲▲</span> very rare: 1 in 100</td>' in chart


def test_no_band_is_no_error() -> None:
    assert "gauge-needle" in gauges([Gauge("x", Found(0, 0, (0, 0), (0, 0)), "0", "0")], title="")
