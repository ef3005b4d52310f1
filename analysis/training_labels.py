"""The parts of a game, the kinds of decisions and the answers, as pages name them."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy as _p

from analysis import explanation_texts

Words = Mapping[str, str | Promise]

PARTS: Words = {
    **explanation_texts.PHASES,
    "play": _p("decision", "Checker plays"),
    "double": _p("decision", "Double or roll"),
    "take": _p("decision", "Take or drop"),
}
ERRORS: Words = {
    "open": _p("error", "Blots left"),
    "missed_hit": _p("error", "Missed hits"),
    "wrong_hit": _p("error", "Wrong hits"),
    "points": _p("error", "Points not made"),
    "given_up": _p("error", "Points given up"),
    "back": _p("error", "Back checkers"),
    "timid": _p("error", "Too cautious"),
    "stacked": _p("error", "Stacks and gaps"),
    "race": _p("error", "Race and bear-off"),
    "missed_double": _p("error", "Missed doubles"),
    "wrong_double": _p("error", "Wrong doubles"),
    "wrong_take": _p("error", "Wrong takes"),
    "wrong_drop": _p("error", "Wrong drops"),
    "other": _p("error", "Other"),
}
ANSWERS: Words = {
    "double": _p("answer", "Double"),
    "roll": _p("answer", "Roll"),
    "take": _p("answer", "Take"),
    "drop": _p("answer", "Drop"),
}


def part_label(name: str) -> str:
    """The name of a phase or a kind of decision."""
    return str(PARTS.get(name, name))


def answer_label(text: str) -> str:
    """An answer as people say it; a play stays as it is written."""
    return str(ANSWERS.get(text, text))


def error_label(kind: str) -> str:
    """The name of a kind of error."""
    return str(ERRORS.get(kind, kind))
