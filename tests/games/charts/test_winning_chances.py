"""The graph of winning chances over a match."""

from __future__ import annotations

from django.utils.translation import override

from games.charts import ChanceStep, winning_chances

STEPS = [ChanceStep(0.5, 1), ChanceStep(0.7, 1, "blunder"), ChanceStep(0.6, 2), ChanceStep(1.0, 2)]


def drawn() -> str:
    with override("en"):
        return str(winning_chances(STEPS, name="c", white="ana", black="<bea>"))


def test_the_area_of_white_is_drawn_from_below() -> None:
    assert 'class="chances-white" d="M0 300L0 150L333.3 90L666.7 120L1000 0L1000 300Z"' in drawn()


def test_games_are_divided_by_lines_and_errors_are_marked() -> None:
    assert 'class="chances-game" d="M666.7 0V300"' in drawn()
    assert '<path class="chances-mark mark-blunder" d="M333.3 90h.01"/>' in drawn()


def test_the_numbers_are_in_a_table_too() -> None:
    chart = drawn()
    assert "ana&#x27;s winning chances ranged from 50% to 100%." in chart
    assert '<tr><th scope="row">1</th><td>70%</td><td>30%</td></tr>' in chart
    assert "&lt;bea&gt;" in chart
    assert "<bea>" not in chart


def test_without_steps_nothing_is_drawn() -> None:
    assert winning_chances([], name="c", white="ana", black="bea") == ""
