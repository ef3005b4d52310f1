"""HTML and number formatting shared by the charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.formats import number_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _


def number(value: float, decimals: int = 0) -> str:
    """Format a number for the reader's locale, without a negative zero, and with separators from five digits on."""
    rounded = round(value, decimals) + 0.0 if decimals else round(value)
    return number_format(rounded, decimals, force_grouping=abs(rounded) >= 10_000)


def percent(share: float, decimals: int = 0) -> str:
    """Format a share as a percentage: `62%`, with a no-break space where the language has one."""
    return _("%(number)s%%") % {"number": number(100 * share, decimals).replace("-", "−")}


def coordinate(value: float) -> str:
    """Format a coordinate: one decimal, with a point in every language."""
    return f"{value:.1f}".removesuffix(".0")


def joined(parts: Iterable[SafeString]) -> SafeString:
    """Join HTML fragments."""
    return format_html_join("", "{}", ((part,) for part in parts))


def table_head(columns: Sequence[str]) -> SafeString:
    """Render the head of a table; a column without a name is decorative."""
    cells = (
        format_html('<th scope="col">{}</th>', name) if name else SafeString('<td aria-hidden="true"></td>')
        for name in columns
    )
    return format_html("<thead><tr>{}</tr></thead>", joined(cells))


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str | SafeString]]) -> SafeString:
    """Render a plain table, with the first cell of each row as its header.

    It may have hundreds of rows: cells are escaped and joined without `format_html`, which takes four times as long.
    """
    body = "".join(
        f'<tr><th scope="row">{conditional_escape(first)}</th>'
        f"{''.join(f'<td>{conditional_escape(cell)}</td>' for cell in rest)}</tr>"
        for first, *rest in rows
    )
    return format_html(
        '<table class="chart-numbers"><caption class="visually-hidden">{}</caption>{}<tbody>{}</tbody></table>',
        caption,
        table_head(columns),
        SafeString(body),  # nosec B703
    )
