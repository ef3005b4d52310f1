"""Line charts of a value over time: with axes, and as a small sparkline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.charts.markup import coordinate, joined, number, table

WIDTH, HEIGHT = 1000, 400
SPARK = (120, 32)
MOST_STEPS = 5


@dataclass(frozen=True, slots=True)
class Point:
    """A value at a moment; `note` is its source in the table, as text or as a link."""

    at: datetime
    value: float
    note: str | SafeString = ""


def line_chart(
    points: Sequence[Point],
    *,
    name: str,
    title: str,
    of: str,
    note: str = "",
    decimals: int = 0,
    low_is_good: bool = False,
) -> SafeString:
    """Render a line through `points`, oldest first. `of` names the value and `note` the notes column of the table.

    The best point is marked: the highest, or with `low_is_good` the lowest. `name` prefixes the ids of this chart on a
    page. Without points the result is empty.
    """
    if not points:
        return SafeString("")
    low, high, step = scale([point.value for point in points])
    places = _places(points, low, high)
    best = (min if low_is_good else max)(range(len(points)), key=lambda n: points[n].value)
    facts = {
        "of": of,
        "first": number(points[0].value, decimals),
        "since": _day(points[0].at),
        "last": number(points[-1].value, decimals),
        "until": _day(points[-1].at),
        "peak": number(points[best].value, decimals),
        "day": _day(points[best].at),
    }
    if low_is_good:
        description = (
            _("%(of)s: from %(first)s on %(since)s to %(last)s on %(until)s. Best: %(peak)s on %(day)s.") % facts
        )
        caption = _("Best: %(peak)s on %(day)s") % facts
    else:
        description = (
            _("%(of)s: from %(first)s on %(since)s to %(last)s on %(until)s. Peak: %(peak)s on %(day)s.") % facts
        )
        caption = _("Peak: %(peak)s on %(day)s") % facts
    return format_html(
        '<figure class="chart"><div class="chart-frame"><div class="chart-y" aria-hidden="true">{y}</div>'
        '<svg class="chart-plot" viewBox="0 0 {w} {h}" preserveAspectRatio="none" role="img"'
        ' aria-labelledby="{name}-title" aria-describedby="{name}-words">'
        '<title id="{name}-title">{title}</title><desc id="{name}-words">{description}</desc>'
        '<path class="chart-rule" d="{rules}"/><path class="chart-area" d="{area}"/><path class="chart-line" d="{d}"/>'
        '<path class="chart-dot chart-last" d="{last}"/><path class="chart-dot chart-peak" d="{best}"/></svg>'
        '<div class="chart-x" aria-hidden="true">{x}</div></div>'
        '<figcaption class="note"><span class="chart-key" aria-hidden="true"></span>{caption}</figcaption>'
        '<details class="chart-more"><summary>{more}</summary>{table}</details></figure>',
        y=format_html_join("", "<span>{}</span>", ((number(tick),) for tick in _ticks(high, low, step))),
        w=WIDTH,
        h=HEIGHT,
        name=name,
        title=title,
        description=description,
        rules="".join(f"M0 {coordinate(_y(tick, low, high))}H{WIDTH}" for tick in _ticks(high, low, step)),
        area=f"{_path(places)}V{HEIGHT}H{coordinate(places[0][0])}Z",
        d=_path(places),
        last=_dot(places[-1]),
        best=_dot(places[best]),
        x=joined(_days(points)),
        caption=caption,
        more=_("Show as table"),
        table=table(
            title,
            [_("Date"), of, *([note] if note else [])],
            [
                (_day(point.at), number(point.value, decimals), *([point.note] if note else []))
                for point in reversed(points)
            ],
        ),
    )


def sparkline(values: Sequence[float]) -> SafeString:
    """Render a small chart of a series within text; the numbers stand beside it for screen readers."""
    if len(values) < 2:
        return SafeString("")
    width, height = SPARK
    low, high = min(values), max(values)
    if high - low < 1:
        low, high = low - 1, high + 1
    places = [
        (width * n / (len(values) - 1), 2 + (height - 4) * (high - value) / (high - low))
        for n, value in enumerate(values)
    ]
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="chart-line" d="{}"/><path class="chart-dot chart-last" d="{}"/></svg>',
        width,
        height,
        _path(places),
        _dot(places[-1]),
    )


def scale(values: Sequence[float]) -> tuple[float, float, float]:
    """Round ends around the values and the step between the rules: 1, 2 or 5 times a power of ten, five at most."""
    low, high = min(values), max(values)
    wanted = max(high - low, 4.0) / (MOST_STEPS - 1)
    power = 10 ** math.floor(math.log10(wanted))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= wanted)
    return math.floor(low / step) * step, max(math.ceil(high / step), math.floor(low / step) + 1) * step, step


def _ticks(high: float, low: float, step: float) -> list[float]:
    """From the top down."""
    return [high - n * step for n in range(round((high - low) / step) + 1)]


def _y(value: float, low: float, high: float) -> float:
    return HEIGHT * (high - value) / (high - low)


def _places(points: Sequence[Point], low: float, high: float) -> list[tuple[float, float]]:
    first, last = points[0].at, points[-1].at
    span = (last - first).total_seconds()
    return [
        (
            WIDTH * (point.at - first).total_seconds() / span if span else WIDTH * (n + 1) / (len(points) + 1),
            _y(point.value, low, high),
        )
        for n, point in enumerate(points)
    ]


def _path(places: Sequence[tuple[float, float]]) -> str:
    """A path through places; those that fall on one spot are drawn once."""
    spots = [f"{coordinate(x)} {coordinate(y)}" for x, y in places]
    distinct = [spots[0], *(after for before, after in pairwise(spots) if before != after)]
    return "M" + "L".join(distinct)


def _dot(place: tuple[float, float]) -> str:
    """A line without length: its round ends stay round, however the drawing is stretched."""
    return f"M{coordinate(place[0])} {coordinate(place[1])}h.01"


def _day(moment: datetime) -> str:
    return date_format(localtime(moment), "SHORT_DATE_FORMAT")


def _days(points: Sequence[Point]) -> list[SafeString]:
    first, last = points[0].at, points[-1].at
    moments = [first, first + (last - first) / 2, last]
    form = "SHORT_DATE_FORMAT" if (last - first).days >= 2 else "SHORT_DATETIME_FORMAT"
    names = [date_format(localtime(moment), form) for moment in moments]
    return [format_html("<span>{}</span>", name) for name in (names if len(set(names)) == len(names) else names[-1:])]
