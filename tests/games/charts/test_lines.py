"""A line chart over time: the drawing, its description, and the same numbers as a table."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils.translation import override

from games.charts import Point, line_chart, sparkline
from games.charts.lines import scale

START = datetime(2026, 3, 1, 12, tzinfo=UTC)


def points(*values: float) -> list[Point]:
    return [Point(START + timedelta(days=n), value, f"match {n}") for n, value in enumerate(values)]


def drawn(*values: float, **more: object) -> str:
    wanted: dict[str, object] = {"name": "r", "title": "ana's rating", "of": "Rating", "note": "Match"}
    return line_chart(points(*values), **{**wanted, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ((1500, 1560), (1500, 1560, 20)),
        ((1487.2, 1613.6), (1450, 1650, 50)),
        ((1500,), (1500, 1501, 1)),
        ((0.2, 3.9), (0, 4, 1)),
        ((-12, 12), (-20, 20, 10)),
    ],
)
def test_grid_lines_are_at_round_numbers(values: tuple[float, ...], ends: tuple[float, float, float]) -> None:
    assert scale(values) == ends


def test_a_line_goes_from_the_first_moment_to_the_last() -> None:
    chart = drawn(1500, 1560, 1520)
    assert '<path class="chart-line" d="M0 400L500 0L1000 266.7"/>' in chart
    assert '<path class="chart-dot chart-peak" d="M500 0h.01"/>' in chart
    assert '<path class="chart-dot chart-last" d="M1000 266.7h.01"/>' in chart
    assert "<span>1560</span><span>1540</span><span>1520</span><span>1500</span>" in chart


def test_it_is_an_image_with_a_title_and_a_description() -> None:
    with override("en"):
        chart = drawn(1500, 1560, 1520)
    assert 'role="img" aria-labelledby="r-title" aria-describedby="r-words"' in chart
    assert '<title id="r-title">ana&#x27;s rating</title>' in chart
    assert (
        '<desc id="r-words">Rating: from 1500 on 1 Mar 2026 to 1520 on 3 Mar 2026. Peak: 1560 on 2 Mar 2026.</desc>'
        in chart
    )


def test_the_best_is_marked_the_highest_rating_and_the_lowest_error_rate() -> None:
    with override("en"):
        rating, errors = drawn(7, 9, 4, 6), drawn(7, 9, 4, 6, of="Error rate", low_is_good=True)
    assert "</span>Peak: 9 on 2 Mar 2026</figcaption>" in rating
    assert "</span>Best: 4 on 3 Mar 2026</figcaption>" in errors
    assert "to 6 on 4 Mar 2026. Best: 4 on 3 Mar 2026.</desc>" in errors
    assert '<path class="chart-dot chart-peak" d="M666.7 400h.01"/>' in errors


def test_the_same_numbers_are_in_a_table_latest_first() -> None:
    with override("en"):
        chart = drawn(1500, 1560.25, decimals=2)
    cells = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td><td>(.*?)</td></tr>', chart)
    assert [cell[1:] for cell in cells] == [("1560.25", "match 1"), ("1500.00", "match 0")]


def test_numbers_and_dates_are_in_the_language_of_the_reader() -> None:
    with override("es"):
        chart = drawn(1500, 1560.25, decimals=2)
    assert "<td>1560,25</td>" in chart
    assert '<th scope="row">02/03/2026</th>' in chart


def test_no_coordinate_has_a_comma_and_no_inline_styles_are_used() -> None:
    with override("es"):
        chart = drawn(1500.3, 1533.7, 1521.1)
    assert not any("," in path for path in re.findall(r' d="(.*?)"', chart))
    assert "style=" not in chart


def test_one_match_is_a_dot_and_none_is_nothing() -> None:
    assert '<path class="chart-line" d="M500 400"/>' in drawn(1500)
    assert drawn() == ""


def test_names_are_escaped() -> None:
    chart = line_chart([Point(START, 1500, "<b>x</b>")], name="r", title="<i>", of="Rating", note="Match")
    assert "<b>" not in chart
    assert "<i>" not in chart


def test_a_sparkline_is_hidden_from_screen_readers() -> None:
    assert sparkline([1500]) == ""
    assert sparkline([1500, 1520, 1510]) == (
        '<svg class="spark" viewBox="0 0 120 32" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="chart-line" d="M0 30L60 2L120 16"/><path class="chart-dot chart-last" d="M120 16h.01"/></svg>'
    )


def test_a_flat_line_runs_through_the_middle() -> None:
    assert 'd="M0 16L120 16"' in sparkline([1500, 1500])
