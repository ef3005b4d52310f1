"""What all charts are written with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.formats import number_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _


def number(value: float, decimals: int = 0) -> str:
    """A number as the reader writes it, without a minus before nothing, and in groups from five digits on."""
    rounded = round(value, decimals) + 0.0 if decimals else round(value)
    return number_format(rounded, decimals, force_grouping=abs(rounded) >= 10_000)


def percent(share: float, decimals: int = 0) -> str:
    """A share of one in hundredths: `62%`, and where one writes a blank before the sign, one that breaks no line."""
    return _("%(number)s%%") % {"number": number(100 * share, decimals).replace("-", "−")}


def at(value: float) -> str:
    """A coordinate: one decimal, and a point before it in every language."""
    return f"{value:.1f}".removesuffix(".0")


def joined(parts: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))


def heads(columns: Sequence[str]) -> SafeString:
    """The head of a table; a column without a name is only drawn."""
    cells = (
        format_html('<th scope="col">{}</th>', name) if name else SafeString('<td aria-hidden="true"></td>')
        for name in columns
    )
    return format_html("<thead><tr>{}</tr></thead>", joined(cells))


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[str | SafeString]]) -> SafeString:
    """A plain table, the first cell of each row being its head.

    It may have hundreds of rows: cells are escaped and joined without `format_html`, which would cost four times that.
    """
    body = "".join(
        f'<tr><th scope="row">{conditional_escape(first)}</th>'
        f"{''.join(f'<td>{conditional_escape(cell)}</td>' for cell in rest)}</tr>"
        for first, *rest in rows
    )
    return format_html(
        '<table class="chart-numbers"><caption class="visually-hidden">{}</caption>{}<tbody>{}</tbody></table>',
        caption,
        heads(columns),
        SafeString(body),  # nosec B703
    )
