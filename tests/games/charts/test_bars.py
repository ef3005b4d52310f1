"""Bars are tables that a screen reader can read."""

from __future__ import annotations

from games.charts import Bar, bar_table

ROWS = [Bar("3", 0.625, ("62%", "5 / 8")), Bar("5", 0, ("0%", "0 / 2"))]


def chart(**more: bool) -> str:
    return bar_table(ROWS, title="Wins by match length", columns=["Match to", "Won", "Matches"], **more)


def test_each_row_has_its_heading_bar_and_numbers() -> None:
    assert '<tr><th scope="row">3</th><td class="bars-bar" aria-hidden="true">' in chart()
    assert '<rect class="bar" width="62.5" height="10"/>' in chart()
    assert "<td>62%</td><td>5 / 8</td></tr>" in chart()
    assert '<rect class="bar" width="0" height="10"/>' in chart()


def test_the_table_and_its_columns_are_labelled() -> None:
    assert '<caption class="visually-hidden">Wins by match length</caption>' in chart()
    assert (
        '<thead><tr><th scope="col">Match to</th><td aria-hidden="true"></td><th scope="col">Won</th>'
        '<th scope="col">Matches</th></tr></thead>' in chart()
    )


def test_the_middle_is_marked_where_it_is_meaningful() -> None:
    assert chart().count('class="bar-half"') == 2
    assert 'class="bar-half"' not in chart(middle=False)


def test_a_bar_stays_within_its_track() -> None:
    assert 'class="bar" width="100"' in bar_table([Bar("x", 1.7, ())], title="", columns=["x"])
    assert 'class="bar" width="0"' in bar_table([Bar("x", -1, ())], title="", columns=["x"])


def test_no_inline_styles_are_used() -> None:
    assert "style=" not in chart()
