"""Template tags of charts: they convert the results of selectors for `games.charts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext as _p

from accounts.models import User
from games import charts, labels
from games.charts import markup
from games.charts.markup import joined, number
from games.dice_statistics import Comparison
from games.selectors import dice_reports, ratings, statistics
from games.selectors.players import RecentResult
from games.templatetags.game_labels import person

register = template.Library()


@register.filter
def percent(share: float | None, decimals: int = 0) -> str:
    """Format a share as a percentage; a dash for None."""
    return "–" if share is None else markup.percent(share, decimals)


@register.filter
def decimals(value: float | None, count: int = 1) -> str:
    """Format a number with a fixed number of decimals; a dash for None."""
    return "–" if value is None else number(value, count)


@register.filter
def duration(ms: int) -> str:
    """Format a duration: minutes and seconds, hours and minutes, or days and hours."""
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
    """Look up a key in a mapping; None if it is missing."""
    return mapping.get(key)


@register.simple_tag
def spark(values: Sequence[float]) -> SafeString:
    """A sparkline of values."""
    return charts.sparkline(values)


@register.simple_tag
def rating_line(points: Sequence[ratings.RatingPoint], title: str) -> SafeString:
    """A chart of a rating over time, with the matches in its table."""
    return charts.line_chart(
        [charts.Point(point.at, point.rating, _rated(point)) for point in points],
        name="rating",
        title=title,
        of=_("Rating"),
        note=_("Match"),
        decimals=2,
    )


def _rated(point: ratings.RatingPoint) -> SafeString:
    return format_html(
        '<a href="{}"><bdi>{}</bdi> {}</a>',
        reverse("match", args=[point.match_id]),
        point.opponent,
        ratings.signed(point.change),
    )


@register.simple_tag
def form_of(last: Sequence[RecentResult], link: bool = True) -> SafeString:
    """The last results as letters and colours, the latest first, with words for screen readers."""
    labels_by_result = {
        True: ("won", _p("form", "W"), _p("form", "won")),
        False: ("lost", _p("form", "L"), _p("form", "lost")),
        None: ("level", "=", _p("form", "drawn")),
    }
    marks = []
    for result in last:
        kind, letter, word = labels_by_result[result.won]
        inside = format_html('<span aria-hidden="true">{}</span><span class="visually-hidden">{}</span>', letter, word)
        if link:
            inside = format_html('<a href="{}">{}</a>', reverse("match", args=[result.match_id]), inside)
        marks.append(format_html('<li class="form-mark form-{}">{}</li>', kind, inside))
    title = _("Recent results, newest first")
    return (
        format_html('<ol class="form-marks" aria-label="{}">{}</ol>', title, joined(marks)) if marks else SafeString("")
    )


def _won_bar(label: str | SafeString, stats: statistics.PlayerStats) -> charts.Bar:
    cells = (percent(stats.share), f"{stats.won} / {stats.matches}")
    return charts.Bar(label, stats.share or 0.0, cells)


@register.simple_tag
def won_by_length(lengths: Mapping[int, statistics.PlayerStats]) -> SafeString:
    """A chart of the matches won by length."""
    rows = [_won_bar(str(length) if length else labels.length(length), figures) for length, figures in lengths.items()]
    return charts.bar_table(
        rows, title=_("Wins by match length"), columns=[_("Match to"), _p("matches", "Won"), _("Matches")]
    )


@register.simple_tag
def won_by_opponent(opponents: Sequence[statistics.OpponentStats], player: User) -> SafeString:
    """A chart of the matches won by opponent."""
    rows = [_won_bar(_opponent_link(player, row.opponent), row.stats) for row in opponents]
    return charts.bar_table(
        rows, title=_("Wins by opponent"), columns=[_("Opponent"), _p("matches", "Won"), _("Matches")]
    )


def _opponent_link(player: User, opponent: User) -> SafeString:
    url = reverse("player-against", args=[player.username, opponent.username])
    return format_html('<a href="{}">{}</a>', url, person(opponent, link=False))


@register.simple_tag
def dice_rolls(dice: dice_reports.DiceReport) -> SafeString:
    """A table of all rolls with their actual and expected counts."""
    of = dice.rolls if dice.many else 0
    return charts.roll_table(dice.found, title=_("Rolls by higher and lower die"), of=of)


@register.simple_tag
def dice_comparison(dice: dice_reports.DiceReport, title: str = "") -> SafeString:
    """A table of doubles, pips and entering from the bar, compared with expectation."""
    rows = []
    if dice.doubles is not None:
        value = dice.doubles
        rows.append(_shares(_("Doubles"), value, dice.rolls))
    if dice.pips is not None:
        value = dice.pips
        rows.append(charts.ExpectationRow(_("Pips per roll"), value, number(value.found, 2), number(value.expected, 2)))
    if dice.bar is not None:
        rows.append(_shares(_("Entering from the bar"), dice.bar, dice.bar_rolls))
    return charts.expectation_table(rows, title=title or _("Dice: actual vs. expected"))


def _shares(label: str, value: Comparison, chances: int) -> charts.ExpectationRow:
    """One row of shares, with the counts below them."""
    found, expected = (
        format_html("{}<small>{}</small>", percent(count / chances, 1), text)
        for count, text in (
            (value.found, _("%(count)s of %(chances)s") % {"count": number(value.found), "chances": number(chances)}),
            (value.expected, number(value.expected, 1 if value.expected < 100 else 0)),
        )
    )
    return charts.ExpectationRow(label, value, found, expected)


@register.filter
def cases(p: float) -> str:
    """Format a probability in whole cases: `37 of 100`, or `4 of 1000` for small ones."""
    if p < 0.001:
        return _("fewer than 1 in 1000")
    out_of = 100 if p >= 0.02 else 1000
    return _("%(count)s of %(chances)s") % {"count": number(p * out_of), "chances": number(out_of)}
