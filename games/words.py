"""The names of things that are stored as keys: variants, clocks, outcomes, endings. Terms: docs/rulings.md."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.utils.translation import pgettext_lazy as _p

from games.clocks import PRESETS

Words = dict[str, Promise]

VARIANTS: Words = {
    "backgammon": _("Backgammon"),
    "nackgammon": _("Nackgammon"),
    "hypergammon": _("Hypergammon"),
}
CLOCKS: Words = {
    "club": _p("clock", "Club"),
    "blitz": _p("clock", "Blitz"),
    "slow": _p("clock", "Unhurried"),
    "none": _p("clock", "No clock"),
}
OUTCOMES: Words = {
    "single": _p("outcome", "single"),
    "gammon": _p("outcome", "gammon"),
    "backgammon": _p("outcome", "backgammon"),
    "drop": _p("outcome", "cube passed"),
}
ENDINGS: Words = {
    "score": _("on points"),
    "resign": _("by resignation"),
    "flag": _("on time"),
}
SIDES: Words = {"white": _p("side", "White"), "black": _p("side", "Black")}


def variant(key: str) -> str:
    """The name of a variant; a key without a name is shown as it is."""
    return str(VARIANTS.get(key, key))


def clock(key: str) -> str:
    """The name of a clock preset."""
    return str(CLOCKS.get(key, key))


def clock_terms(key: str) -> str:
    """What a clock gives: minutes a point for the match, and seconds of delay a turn."""
    preset = PRESETS.get(key)
    if preset is None or not preset.reserve_a_point:
        return _t("take your time")
    minutes, seconds = preset.reserve_a_point // 60_000, preset.delay // 1000
    return _t("%(minutes)s min a point + %(seconds)s s a turn") % {"minutes": minutes, "seconds": seconds}


def outcome(kind: str) -> str:
    """How a game was won."""
    return str(OUTCOMES.get(kind, kind))


def ending(key: str) -> str:
    """How a match ended."""
    return str(ENDINGS.get(key, key))


def length(points: int) -> str:
    """`match to 5`, `partida a 5 puntos`."""
    return ngettext("match to %(points)s point", "match to %(points)s points", points) % {"points": points}
