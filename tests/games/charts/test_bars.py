"""Bars are tables: what the eye compares, a screen reader reads."""

from __future__ import annotations

from games.charts import Bar, bars

ROWS = [Bar("3", 0.625, ("62%", "5 / 8")), Bar("5", 0, ("0%", "0 / 2"))]


def chart(**more: bool) -> str:
    return bars(ROWS, title="Won by length", columns=["Match to", "Won", "Matches"], **more)


def test_each_row_has_its_head_its_bar_and_its_numbers() -> None:
    assert '<tr><th scope="row">3</th><td class="bars-bar" aria-hidden="true">' in chart()
    assert '<rect class="bar" width="62.5" height="10"/>' in chart()
    assert "<td>62%</td><td>5 / 8</td></tr>" in chart()
    assert '<rect class="bar" width="0" height="10"/>' in chart()


def test_the_table_is_named_and_its_columns_too() -> None:
    assert '<caption class="visually-hidden">Won by length</caption>' in chart()
    assert (
        '<thead><tr><th scope="col">Match to</th><td aria-hidden="true"></td><th scope="col">Won</th>'
        '<th scope="col">Matches</th></tr></thead>' in chart()
    )


def test_the_half_is_marked_where_it_means_something() -> None:
    assert chart().count('class="bar-half"') == 2
    assert 'class="bar-half"' not in chart(middle=False)


def test_a_bar_stays_in_its_ground() -> None:
    assert 'class="bar" width="100"' in bars([Bar("x", 1.7, ())], title="", columns=["x"])
    assert 'class="bar" width="0"' in bars([Bar("x", -1, ())], title="", columns=["x"])


def test_nothing_is_styled() -> None:
    assert "style=" not in chart()
