"""A table of shares with a bar in each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.charts.markup import coordinate, joined, table_head

WIDTH, HEIGHT = 100, 10


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: its label, the length of its bar (0 to 1), and the text cells."""

    label: str | SafeString
    share: float
    cells: tuple[str, ...]


def bar_table(rows: Sequence[Bar], *, title: str, columns: Sequence[str], middle: bool = True) -> SafeString:
    """Render a table of bars. `columns` name the label and the cells; with `middle` each bar marks its half."""
    first, *rest = columns
    return format_html(
        '<table class="bars"><caption class="visually-hidden">{}</caption>{}<tbody>{}</tbody></table>',
        title,
        table_head([first, "", *rest]),
        joined(_row(row, middle) for row in rows),
    )


def _row(row: Bar, middle: bool) -> SafeString:
    length = WIDTH * min(max(row.share, 0.0), 1.0)
    half = format_html('<path class="bar-half" d="M{} 0V{}"/>', WIDTH // 2, HEIGHT) if middle else ""
    return format_html(
        '<tr><th scope="row">{}</th><td class="bars-bar" aria-hidden="true">'
        '<svg viewBox="0 0 {w} {h}" preserveAspectRatio="none"><rect class="bar-ground" width="{w}" height="{h}"/>'
        '<rect class="bar" width="{}" height="{h}"/>{}</svg></td>{}</tr>',
        row.label,
        coordinate(length),
        half,
        format_html_join("", "<td>{}</td>", ((cell,) for cell in row.cells)),
        w=WIDTH,
        h=HEIGHT,
    )
