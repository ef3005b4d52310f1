"""How the pages of trainer and error rates write their numbers and draw their charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from analysis import training_labels
from analysis.daily_puzzle import VoteShare
from analysis.error_kinds import ErrorsOfKind
from analysis.error_rates import ErrorSum
from analysis.selectors.error_rates import MatchRate
from games import charts
from games.charts.markup import number, percent
from games.templatetags.game_labels import seated

register = template.Library()
register.filter("part", training_labels.part_label)
register.filter("answer", training_labels.answer_label)

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
def error_line(rows: Sequence[MatchRate], title: str) -> SafeString:
    """The error rate over the last matches, as it went."""
    points = [charts.Point(row.ended_at, row.rolling, _of_match(row)) for row in rows]
    return charts.line_chart(
        points,
        name="errors",
        title=title,
        of=_("Error rate"),
        note=_("In this match"),
        decimals=1,
        low_is_good=True,
    )


def _of_match(row: MatchRate) -> SafeString:
    opponent = seated(row.opponent, link=False) if row.opponent is not None else SafeString("")
    return format_html('<a href="{}">{}</a> {}', reverse("match", args=[row.match.pk]), opponent, pr(row.sums.rate))


@register.simple_tag
def error_bars(parts: Iterable[tuple[str, ErrorSum]], title: str) -> SafeString:
    """Error rates of phases or kinds side by side."""
    rows = [
        charts.Bar(
            training_labels.part_label(name), (sums.rate or 0.0) / WORST, (pr(sums.rate), number(sums.decisions))
        )
        for name, sums in parts
    ]
    return charts.bar_table(rows, title=title, columns=["", _("Error rate"), _("Decisions")], middle=False)


@register.simple_tag
def kind_bars(errors: Sequence[ErrorsOfKind], title: str) -> SafeString:
    """What a player's errors are, by what they cost."""
    rows = [
        charts.Bar(
            training_labels.error_label(kind_errors.kind),
            kind_errors.share,
            (number(kind_errors.count), number(kind_errors.lost, 2)),
        )
        for kind_errors in errors
    ]
    return charts.bar_table(rows, title=title, columns=[_("Error"), _("Errors"), _("Points lost")], middle=False)


@register.simple_tag
def vote_bars(shares: Sequence[VoteShare], best: str) -> SafeString:
    """How the votes fell; the best answer is marked."""
    rows = [
        charts.Bar(
            format_html("{}{}", training_labels.answer_label(share.answer), " ✓" if share.answer == best else ""),
            share.share,
            (percent(share.share), number(share.votes)),
        )
        for share in shares
    ]
    return charts.bar_table(
        rows, title=_("Votes"), columns=[_("Answer"), pgettext("votes", "Share"), _("Votes")], middle=False
    )
