"""Charts in pages: from what the selectors give to what `games.charts` draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext as _p

from accounts.models import User
from games import charts, words
from games.chance import Found
from games.charts import markup
from games.charts.markup import joined, number
from games.selectors import ratings, rolls, statistics
from games.selectors.players import Last
from games.templatetags.club import person

register = template.Library()


@register.filter
def percent(share: float | None, decimals: int = 0) -> str:
    """A share of one in hundredths, as the reader writes it; a dash where there is none."""
    return "–" if share is None else markup.percent(share, decimals)


@register.filter
def decimals(value: float | None, count: int = 1) -> str:
    """A number with so many decimals."""
    return "–" if value is None else number(value, count)


@register.filter
def duration(ms: int) -> str:
    """A time that players spent: minutes and seconds, hours and minutes, days and hours."""
    minutes, seconds = divmod(round(ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return _("%(days)s d %(hours)s h") % {"days": days, "hours": hours}
    if hours:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}
    return _("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": seconds}


@register.filter
def of(mapping: Mapping[object, object], key: object) -> object:
    """What a mapping holds for a key, or nothing."""
    return mapping.get(key)


@register.simple_tag
def spark(values: Sequence[float]) -> SafeString:
    return charts.spark(values)


@register.simple_tag
def rating_line(points: Sequence[ratings.Point], title: str) -> SafeString:
    """The way of a rating, with its matches in the table."""
    return charts.line(
        [charts.Point(point.at, point.rating, _rated(point)) for point in points],
        name="rating",
        title=title,
        of=_("Rating"),
        note=_("Match"),
        decimals=2,
    )


def _rated(point: ratings.Point) -> SafeString:
    return format_html(
        '<a href="{}"><bdi>{}</bdi> {}</a>',
        reverse("match", args=[point.match_id]),
        point.rival,
        ratings.signed(point.change),
    )


@register.simple_tag
def form_of(last: Sequence[Last], link: bool = True) -> SafeString:
    """The last results as letters and colours, the latest first; read aloud as words."""
    said = {
        True: ("won", _p("form", "W"), _p("form", "won")),
        False: ("lost", _p("form", "L"), _p("form", "lost")),
        None: ("level", "=", _p("form", "level")),
    }
    marks = []
    for one in last:
        kind, letter, word = said[one.won]
        inside = format_html('<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>', letter, word)
        if link:
            inside = format_html('<a href="{}">{}</a>', reverse("match", args=[one.match_id]), inside)
        marks.append(format_html('<li class="form-mark form-{}">{}</li>', kind, inside))
    title = _("Last results, the latest first")
    return (
        format_html('<ol class="form-marks" aria-label="{}">{}</ol>', title, joined(marks)) if marks else SafeString("")
    )


def _won_bar(label: str | SafeString, figures: statistics.Figures) -> charts.Bar:
    cells = (percent(figures.share), f"{figures.won} / {figures.matches}")
    return charts.Bar(label, figures.share or 0.0, cells)


@register.simple_tag
def won_by_length(lengths: Mapping[int, statistics.Figures]) -> SafeString:
    """How many matches of each length were won."""
    rows = [_won_bar(str(length) if length else words.length(length), figures) for length, figures in lengths.items()]
    return charts.bars(rows, title=_("Won by length"), columns=[_("Match to"), _p("matches", "Won"), _("Matches")])


@register.simple_tag
def won_by_rival(rivals: Sequence[statistics.Against], who: User) -> SafeString:
    """How many matches against each rival were won."""
    rows = [_won_bar(_rival(who, row.rival), row.figures) for row in rivals]
    return charts.bars(rows, title=_("Won by rival"), columns=[_("Rival"), _p("matches", "Won"), _("Matches")])


def _rival(who: User, rival: User) -> SafeString:
    url = reverse("player-against", args=[who.username, rival.username])
    return format_html('<a href="{}">{}</a>', url, person(rival, link=False))


@register.simple_tag
def dice_rolls(dice: rolls.Dice) -> SafeString:
    """How often each roll fell against how often it was to fall."""
    of = dice.rolls if dice.many else 0
    return charts.rolls(dice.found, title=_("Rolls by the higher and the lower number"), of=of)


@register.simple_tag
def dice_gauges(dice: rolls.Dice, title: str = "") -> SafeString:
    """Doubles, pips and men from the bar against expectation."""
    rows = []
    if dice.doubles is not None:
        value = dice.doubles
        rows.append(_shares(_("Doubles"), value, dice.rolls))
    if dice.pips is not None:
        value = dice.pips
        rows.append(charts.Gauge(_("Pips a roll"), value, number(value.found, 2), number(value.expected, 2)))
    if dice.bar is not None:
        rows.append(_shares(_("Entering from the bar"), dice.bar, dice.bar_rolls))
    return charts.gauges(rows, title=title or _("Dice against expectation"))


def _shares(label: str, value: Found, chances: int) -> charts.Gauge:
    """How often something was found of so many chances: shares, and the counts below them."""
    found, expected = (
        format_html("{}<small>{}</small>", percent(count / chances, 1), said)
        for count, said in (
            (value.found, _("%(count)s of %(chances)s") % {"count": number(value.found), "chances": number(chances)}),
            (value.expected, number(value.expected, 1 if value.expected < 100 else 0)),
        )
    )
    return charts.Gauge(label, value, found, expected)


@register.filter
def cases(p: float) -> str:
    """A chance in whole cases: `37 of 100`, and where those are few `4 of 1000`."""
    if p < 0.001:
        return _("less than one of 1000")
    out_of = 100 if p >= 0.02 else 1000
    return _("%(count)s of %(chances)s") % {"count": number(p * out_of), "chances": number(out_of)}
