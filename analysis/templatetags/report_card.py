"""The report in pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.safestring import SafeString

from accounts.models import User
from analysis import explanation_texts
from analysis.selectors import reports
from analysis.services import report_in_progress, why_no_report
from analysis.services.hints import why_no_hints
from games import charts
from games.charts.markup import number
from games.models import Match, Seat
from games.templatetags.charts import percent

register = template.Library()
register.filter("percent", percent)
register.filter("sentences", explanation_texts.sentences)
register.filter("level_of", explanation_texts.skill_level)
register.filter("cube_action", explanation_texts.action_text)


@register.inclusion_tag("analysis/_button.html", takes_context=True)
def report_button(context: dict[str, Any], match: Match, user: Any) -> dict[str, Any]:
    """The way to the report of a finished match, for those whose match it is; nothing where there is none."""
    known = isinstance(user, User) and why_no_report(match, user) is None
    return {"match": match if known else None, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("analysis/_result.html", takes_context=True)
def result_analysis(context: dict[str, Any], match: Match, user: Any) -> dict[str, Any]:
    """The analysis in the result of a match that is still played: what shows it waits for the end."""
    viewer = user if isinstance(user, User) else None
    return {
        "match": match if reports.summary_in_progress(match, viewer) else None,
        "asks": viewer is not None and report_in_progress(match, viewer),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("analysis/_quick_card.html")
def quick_card(match: Match, user: Any) -> dict[str, Any]:
    """Error rate and luck of both players and the turning point, where a report of the match is ready."""
    return {"match": match, "card": reports.quick_card(match, user if isinstance(user, User) else None)}


@register.simple_tag
def gives_hints(match: Match, user: Any) -> bool:
    """Whether this player can ask for hints in this match, whose seats were fetched."""
    return isinstance(user, User) and why_no_hints(match, user) is None


@register.filter
def grade(key: str) -> str:
    """The name of a grade."""
    return explanation_texts.label_of(explanation_texts.GRADES, key)


@register.filter
def depth(key: str) -> str:
    """The name of a depth."""
    return explanation_texts.label_of(explanation_texts.DEPTHS, key)


@register.filter
def phase(key: str) -> str:
    """The name of a phase of the game."""
    return explanation_texts.label_of(explanation_texts.PHASES, key)


@register.filter
def cube_answer(key: str) -> str:
    """The right cube action of both sides in words."""
    return explanation_texts.label_of(explanation_texts.ANSWERS, key)


@register.filter
def fixed(value: float | None, decimals: int = 2) -> str:
    """A number with so many decimals as the reader writes it; a dash for none."""
    return "–" if value is None else number(value, decimals)


@register.filter
def equity(value: float | None) -> str:
    """An equity with its sign and three decimals."""
    return "–" if value is None else f"{'+' if value > 0 else ''}{number(value, 3)}".replace("-", "−")


@register.filter
def size(value: float) -> float:
    """A number without its sign."""
    return abs(value)


@register.simple_tag
def chances_chart(steps: list[charts.ChanceStep], players: list[Any]) -> SafeString:
    """The chart of a match between the two players of a card."""
    names = {each.seat.side: _name(each.seat) for each in players}
    return charts.winning_chances(steps, name="chances", white=names["white"], black=names["black"])


def _name(seat: Seat) -> str:
    return seat.name
