"""The names of things that are stored as keys: variants, clocks, outcomes, endings. Terms: docs/rulings.md."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.utils.translation import pgettext_lazy as _p

from games.clocks import DAY, MINUTE, PRESETS
from games.errors import Refused
from games.formats.errors import TEXTS as FORMAT_TEXTS
from games.registry import RULES

Words = dict[str, Promise]

VARIANTS: Words = {"damas": _("Draughts")}
"""The games whose names differ from language to language; the others have theirs from their rules."""
CLOCKS: Words = {
    "club": _p("clock", "Club"),
    "blitz": _p("clock", "Blitz"),
    "slow": _p("clock", "Slow"),
    "game5": _p("clock", "5 minutes"),
    "min5": _p("clock", "5 minutes"),
    "min10": _p("clock", "10 minutes"),
    "min15": _p("clock", "15 minutes"),
    "overtime": _p("clock", "Club + overtime"),
    "fischer5": _p("clock", "5 minutes + 5 s"),
    "fischer10": _p("clock", "10 minutes + 10 s"),
    "days1": _p("clock", "1 day per move"),
    "days3": _p("clock", "3 days per move"),
    "days7": _p("clock", "7 days per move"),
    "none": _p("clock", "No clock"),
}
OUTCOMES: Words = {
    "single": _p("outcome", "single"),
    "gammon": _p("outcome", "gammon"),
    "backgammon": _p("outcome", "backgammon"),
    "drop": _p("outcome", "cube dropped"),
    "points": _p("outcome", "checkers left"),
    "game": _p("outcome", "all pieces captured"),
    "blocked": _p("outcome", "no legal moves"),
    "kings": _p("outcome", "draw: only kings left"),
    "agreement": _p("outcome", "draw by agreement"),
    "claim": _p("outcome", "draw claimed"),
    "resign": _p("outcome", "resigned"),
    "flag": _p("outcome", "on time"),
    "stopped": _p("outcome", "called off"),
    "absent": _p("outcome", "by absence"),
}
ENDINGS: Words = {
    "score": _("on points"),
    "resign": _("by resignation"),
    "flag": _("on time"),
    "ended": _("ended by agreement"),
    "unfinished": _("unfinished"),
    "stopped": _("called off"),
    "absent": _("by absence"),
}
# What is said of an option that two players chose: of a switch when it is on, of a choice with its value.
TERMS: Words = {
    "cube": _("no cube"),
    "cube_cap": _("cube up to %(value)s"),
    "crawford": _("no Crawford game"),
    "desahogo": _("desahogo"),
    "as_libre": _("free ace"),
    "jacoby": _("Jacoby"),
    "beavers": _("beavers"),
    "auto_doubles": _("automatic doubles"),
    "mode": _("%(value)s"),
    "ley_cantidad": _("maximum capture"),
}
CHOICES: Words = {"soplar": _("with huffing"), "obligatoria": _("mandatory capture")}
PACES: Words = {
    "live": _p("pace", "live"),
    "correspondence": _p("pace", "correspondence"),
    "computer": _p("pace", "against computers"),
}
"""The pools of ratings (games.rating_pools)."""
STRENGTHS: Words = {
    "1": _p("strength", "Beginner"),
    "2": _p("strength", "Casual"),
    "3": _p("strength", "Club player"),
    "4": _p("strength", "Expert"),
    "5": _p("strength", "World class"),
}
"""The strengths of the computer, by the level of its bot (games.bots.strength)."""
HABITS: Words = {
    "1": _("still learning, misses a lot"),
    "2": _("knows the basics, forgets some"),
    "3": _("solid play with a few slips"),
    "4": _("rarely wrong, punishes mistakes"),
    "5": _("thinks ahead, makes very few mistakes"),
}
"""How these strengths play, in words that are true of every game: not all have blots, hits or a cube."""
SIDES: Words = {"white": _p("side", "White"), "black": _p("side", "Black")}


def variant(key: str) -> str:
    """The name of a variant; a key without a name is shown as it is."""
    if key in VARIANTS:
        return str(VARIANTS[key])
    return RULES[key].name if key in RULES else key


def strength(level: int | str | None) -> str:
    """The strength of a bot of the house; of any other, that it is a computer."""
    named = STRENGTHS.get(str(level))
    return str(_("computer") if named is None else named)


def habits(level: int | str) -> str:
    """How a bot of this strength plays, in a few words."""
    return str(HABITS.get(str(level), ""))


def pace(key: str) -> str:
    """The pool of ratings of a game: a pace, or against computers."""
    return str(PACES.get(key, key))


def clock(key: str) -> str:
    """The name of a clock preset."""
    return str(CLOCKS.get(key, key))


def clock_terms(key: str) -> str:
    """What a clock gives: minutes a point of the match or a game, and seconds of delay a turn."""
    preset = PRESETS.get(key)
    if preset is None or preset.kind is None:
        return _t("no time limit")
    if preset.kind == "turn":
        days = preset.delay // DAY
        return ngettext(
            "%(days)s day per move, by correspondence", "%(days)s days per move, by correspondence", days
        ) % {"days": days}
    numbers = {
        "minutes": preset.reserve // MINUTE,
        "seconds": (preset.bonus or preset.delay) // 1000,
        "overtime": preset.overtime // MINUTE,
    }
    if preset.bonus:
        return _t("%(minutes)s min per player each game, +%(seconds)s s per move") % numbers
    if preset.overtime:
        return _t("%(minutes)s min per point, %(seconds)s s delay, plus %(overtime)s min overtime once") % numbers
    if preset.kind == "sudden":
        return _t("%(minutes)s min per player each game") % numbers
    if preset.kind == "game":
        return _t("%(minutes)s min per game, %(seconds)s s delay") % numbers
    return _t("%(minutes)s min per point, %(seconds)s s delay") % numbers


def time_left(left: timedelta) -> str:
    """What is left of a turn by correspondence: `2 days`, on the last day `5 hours`, in the end `10 minutes`."""
    minutes = max(0, int(left.total_seconds() // 60))
    if (days := minutes // 1440) >= 1:
        return ngettext("%(days)s day left", "%(days)s days left", days) % {"days": days}
    if (hours := minutes // 60) >= 1:
        return ngettext("%(hours)s hour left", "%(hours)s hours left", hours) % {"hours": hours}
    return ngettext("%(minutes)s minute left", "%(minutes)s minutes left", minutes) % {"minutes": minutes}


def sentence(code: str, params: Mapping[str, Any]) -> str:
    """What a code of a file or of the rules says, in the active language."""
    if code not in FORMAT_TEXTS:
        return Refused(code, params=dict(params)).text
    try:
        return _t(FORMAT_TEXTS[code]) % params
    except (KeyError, TypeError, ValueError):
        return _t(FORMAT_TEXTS[code])


def outcome(kind: str) -> str:
    """How a game was won."""
    return str(OUTCOMES.get(kind, kind))


def ending(key: str) -> str:
    """How a match ended."""
    return str(ENDINGS.get(key, key))


def points(number: float) -> str:
    """Points as people write them: `3`, and `2½` where games can be drawn."""
    whole, half = divmod(round(2 * number), 2)
    return f"{whole or ''}½" if half else str(whole)


def terms(variant: str, length: int, options: Mapping[str, Any]) -> list[str]:
    """What two players agreed on besides length and clock, in words: what is not usual, and which kind of damas."""
    rules = RULES.get(variant)
    if rules is None:
        return []
    parts = []
    for key, term in rules.terms(length).items():
        value = options.get(key, term.default)
        named = isinstance(value, str)
        if named or value != term.default:
            shown = str(CHOICES.get(value, value)) if named else value
            parts.append(str(TERMS.get(key, key)) % {"value": shown})
    return parts


def length(points: int) -> str:
    """`match to 5`, `partida a 5 puntos`; a session without end has length 0."""
    if not points:
        return _t("money session")
    return ngettext("match to %(points)s point", "match to %(points)s points", points) % {"points": points}
