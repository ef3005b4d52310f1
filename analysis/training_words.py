"""The parts of a game, the kinds of decisions and the answers, as pages name them."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy as _p

from analysis import telling

Words = Mapping[str, str | Promise]

PARTS: Words = {
    **telling.PHASES,
    "play": _p("decision", "Checker plays"),
    "double": _p("decision", "To double or to roll"),
    "take": _p("decision", "To take or to drop"),
}
ERRORS: Words = {
    "open": _p("error", "Men left open"),
    "missed_hit": _p("error", "Hits missed"),
    "wrong_hit": _p("error", "Hits that cost too much"),
    "points": _p("error", "Points not made"),
    "given_up": _p("error", "Points given up"),
    "back": _p("error", "Men in the rival's home"),
    "timid": _p("error", "Too careful"),
    "stacked": _p("error", "Stacks and gaps"),
    "race": _p("error", "Pips and men borne off"),
    "missed_double": _p("error", "Doubles missed"),
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


def part(name: str) -> str:
    """The name of a phase or a kind of decision."""
    return str(PARTS.get(name, name))


def answer(text: str) -> str:
    """An answer as people say it; a play stays as it is written."""
    return str(ANSWERS.get(text, text))


def error(kind: str) -> str:
    """The name of a kind of error."""
    return str(ERRORS.get(kind, kind))
