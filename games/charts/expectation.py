"""Counts compared with their expectation: a needle on probability bands, in a table row or for each roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.charts.markup import coordinate, joined, number, table_head
from games.dice_statistics import FACES, Comparison

WIDTH, HEIGHT = 100, 12
REACH = 1.6
"""The range of the scale to either side, as a multiple of the 99 % band."""

VERDICTS: Mapping[int, str | Promise] = {
    0: gettext_lazy("typical"),
    1: gettext_lazy("rare: 1 in 20"),
    2: gettext_lazy("very rare: 1 in 100"),
    -1: gettext_lazy("rare: 1 in 20"),
    -2: gettext_lazy("very rare: 1 in 100"),
}
CLASSES = {0: "even", 1: "over", 2: "far-over", -1: "under", -2: "far-under"}
SIGNS = {0: "", 1: "▲", 2: "▲▲", -1: "▼", -2: "▼▼"}


@dataclass(frozen=True, slots=True)
class ExpectationRow:
    """One row: its label, the comparison, and both numbers as text."""

    label: str
    value: Comparison
    found: str | SafeString
    expected: str | SafeString


def expectation_table(rows: Sequence[ExpectationRow], *, title: str) -> SafeString:
    """Render a table of numbers compared with fair dice, with the bands of 95 % and 99 %."""
    return format_html(
        '<table class="bars gauges"><caption class="visually-hidden">{}</caption>{}<tbody>{}</tbody></table>',
        title,
        table_head(["", "", _("Actual"), _("Expected"), _("Rarity")]),
        joined(
            format_html(
                '<tr><th scope="row">{}</th><td class="bars-bar" aria-hidden="true">{}</td>'
                '<td>{}</td><td>{}</td><td class="verdict verdict-{}">{}</td></tr>',
                row.label,
                _needle(row.value),
                row.found,
                row.expected,
                CLASSES[row.value.verdict],
                _verdict(row.value),
            )
            for row in rows
        ),
    )


def roll_table(found: Mapping[int, Comparison], *, title: str, of: float = 0) -> SafeString:
    """Render the 21 rolls by higher and lower die: the actual and the expected count of each.

    With `of`, the number of all rolls, percentages are shown instead of counts, which would be too wide for a phone.
    """
    head = joined(format_html('<th scope="col">{}</th>', low) for low in FACES)
    return format_html(
        '<table class="rolls"><caption class="visually-hidden">{}</caption>'
        "<thead><tr><td></td>{}</tr></thead><tbody>{}</tbody></table>",
        title,
        head,
        joined(
            format_html(
                '<tr><th scope="row">{}</th>{}</tr>',
                high,
                joined(_roll(found[10 * high + low], of) for low in range(1, high + 1)),
            )
            for high in FACES
        ),
    )


def _roll(value: Comparison, of: float) -> SafeString:
    if of:
        actual, expected = (number(100 * count / of, 2) for count in (value.found, value.expected))
    else:
        actual, expected = number(value.found), number(value.expected, 1 if value.expected < 100 else 0)
    return format_html(
        '<td class="roll verdict-{}"><b>{}</b><span class="roll-sign" aria-hidden="true">{}</span>'
        '<small><span class="visually-hidden">{} </span>{}</small>{}{}</td>',
        CLASSES[value.verdict],
        actual,
        SIGNS[value.verdict],
        _("expected"),
        expected,
        format_html('<span class="visually-hidden">, {}</span>', VERDICTS[value.verdict]) if value.verdict else "",
        _needle(value),
    )


def _verdict(value: Comparison) -> SafeString:
    return format_html('<span aria-hidden="true">{}</span> {}', SIGNS[value.verdict], VERDICTS[value.verdict])


def _needle(value: Comparison) -> SafeString:
    """The bands around the expectation, and a needle at the actual value or at the end of the scale."""
    low, high = value.possible
    reach = REACH * max(value.expected - low, high - value.expected) or 1.0

    def x(number: float) -> float:
        return WIDTH * min(max((number - value.expected) / reach, -0.98), 0.98) / 2 + WIDTH / 2

    return format_html(
        '<svg class="gauge" viewBox="0 0 {w} {h}" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="gauge-ground" width="{w}" height="{h}"/>'
        '<rect class="gauge-possible" x="{}" width="{}" height="{h}"/>'
        '<rect class="gauge-likely" x="{}" width="{}" height="{h}"/>'
        '<path class="gauge-needle" d="M{} 0V{h}"/></svg>',
        coordinate(x(low)),
        coordinate(x(high) - x(low)),
        coordinate(x(value.likely[0])),
        coordinate(x(value.likely[1]) - x(value.likely[0])),
        coordinate(x(value.found)),
        w=WIDTH,
        h=HEIGHT,
    )
