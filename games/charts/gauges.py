"""What was found against what chance does: a needle in its bands, alone in a row or one for each roll of two dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.chance import FACES, Found
from games.charts.markup import at, heads, joined, number

WIDTH, HEIGHT = 100, 12
REACH = 1.6
"""How far a gauge goes to either side: so many times as far as the band of 99 %."""

VERDICTS: Mapping[int, str | Promise] = {
    0: gettext_lazy("usual"),
    1: gettext_lazy("rare: 1 in 20"),
    2: gettext_lazy("very rare: 1 in 100"),
    -1: gettext_lazy("rare: 1 in 20"),
    -2: gettext_lazy("very rare: 1 in 100"),
}
CLASSES = {0: "even", 1: "over", 2: "far-over", -1: "under", -2: "far-under"}
SIGNS = {0: "", 1: "▲", 2: "▲▲", -1: "▼", -2: "▼▼"}


@dataclass(frozen=True, slots=True)
class Gauge:
    """One row: what was counted, the numbers of it, and how both are written."""

    label: str
    value: Found
    found: str | SafeString
    expected: str | SafeString


def gauges(rows: Sequence[Gauge], *, title: str) -> SafeString:
    """A table of numbers against what fair dice give, with the bands of 95 % and 99 % drawn."""
    return format_html(
        '<table class="bars gauges"><caption class="visually-hidden">{}</caption>{}<tbody>{}</tbody></table>',
        title,
        heads(["", "", _("Found"), _("Expected"), _("How rare")]),
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


def rolls(found: Mapping[int, Found], *, title: str, of: float = 0) -> SafeString:
    """The twenty-one rolls of two dice by the higher and the lower number: how often each fell, and was to fall.

    Where counts would be too long for a phone, they are given in hundredths of all rolls, which are so many: `of`.
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


def _roll(value: Found, of: float) -> SafeString:
    if of:
        said, expected = (number(100 * count / of, 2) for count in (value.found, value.expected))
    else:
        said, expected = number(value.found), number(value.expected, 1 if value.expected < 100 else 0)
    return format_html(
        '<td class="roll verdict-{}"><b>{}</b><span class="roll-sign" aria-hidden="true">{}</span>'
        '<small><span class="visually-hidden">{} </span>{}</small>{}{}</td>',
        CLASSES[value.verdict],
        said,
        SIGNS[value.verdict],
        _("expected"),
        expected,
        format_html('<span class="visually-hidden">, {}</span>', VERDICTS[value.verdict]) if value.verdict else "",
        _needle(value),
    )


def _verdict(value: Found) -> SafeString:
    return format_html('<span aria-hidden="true">{}</span> {}', SIGNS[value.verdict], VERDICTS[value.verdict])


def _needle(value: Found) -> SafeString:
    """The bands around the middle, and a needle at what was found or at the end of the scale."""
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
        at(x(low)),
        at(x(high) - x(low)),
        at(x(value.likely[0])),
        at(x(value.likely[1]) - x(value.likely[0])),
        at(x(value.found)),
        w=WIDTH,
        h=HEIGHT,
    )
