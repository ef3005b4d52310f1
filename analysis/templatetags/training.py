"""How the pages of trainer and error rates write their numbers and draw their charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from analysis import training_words
from analysis.daily import Share
from analysis.kinds import Errors
from analysis.rates import Sum
from analysis.selectors.rates import Row
from games import charts
from games.charts.markup import number, percent
from games.templatetags.club import seated

register = template.Library()
register.filter("part", training_words.part)
register.filter("answer", training_words.answer)

WORST = 30.0
"""A PR as long as a whole bar."""


@register.filter
def pr(rate: float | None) -> str:
    """An error rate with one decimal; a dash where nothing was decided."""
    return "–" if rate is None else number(rate, 1)


@register.filter
def loss(value: float | None) -> str:
    """What was given away; nothing of the best."""
    return "" if not value else f"−{number(value, 3)}"


@register.simple_tag
def error_line(rows: Sequence[Row], title: str) -> SafeString:
    """The error rate over the last matches, as it went."""
    points = [charts.Point(row.ended_at, row.rolling, _of_match(row)) for row in rows]
    return charts.line(
        points,
        name="errors",
        title=title,
        of=_("Error rate"),
        note=_("In the match"),
        decimals=1,
        low_is_good=True,
    )


def _of_match(row: Row) -> SafeString:
    rival = seated(row.rival, link=False) if row.rival is not None else SafeString("")
    return format_html('<a href="{}">{}</a> {}', reverse("match", args=[row.match.pk]), rival, pr(row.sums.rate))


@register.simple_tag
def error_bars(parts: Iterable[tuple[str, Sum]], title: str) -> SafeString:
    """Error rates of phases or kinds side by side."""
    rows = [
        charts.Bar(training_words.part(name), (sums.rate or 0.0) / WORST, (pr(sums.rate), number(sums.decisions)))
        for name, sums in parts
    ]
    return charts.bars(rows, title=title, columns=["", _("Error rate"), _("Decisions")], middle=False)


@register.simple_tag
def kind_bars(errors: Sequence[Errors], title: str) -> SafeString:
    """What a player's errors are, by what they cost."""
    rows = [
        charts.Bar(training_words.error(one.kind), one.share, (number(one.count), number(one.lost, 2)))
        for one in errors
    ]
    return charts.bars(rows, title=title, columns=[_("Error"), _("Errors"), _("Points lost")], middle=False)


@register.simple_tag
def vote_bars(shares: Sequence[Share], best: str) -> SafeString:
    """How the votes fell; the best answer is marked."""
    rows = [
        charts.Bar(
            format_html("{}{}", training_words.answer(one.answer), " ✓" if one.answer == best else ""),
            one.share,
            (percent(one.share), number(one.votes)),
        )
        for one in shares
    ]
    return charts.bars(rows, title=_("Votes"), columns=[_("Answer"), _("Share"), _("Votes")], middle=False)
