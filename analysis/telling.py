"""What the codes of `analysis.words` and the numbers of a report card say, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.utils.translation import pgettext_lazy as _p

from analysis.words import Word
from games.charts.markup import percent

SENTENCES: Mapping[str, str | Promise] = {
    "off_fewer": _("The better play takes fewer men off now, and stands better for the next rolls."),
    "hit": _("The better play hits a man."),
    "hit_more": _("The better play hits one man more."),
    "hit_not": _("The better play does not hit: the man that hits would pay for it."),
    "makes_home": _("The better play makes your %(point)s-point, in your home."),
    "makes_anchor": _("The better play makes an anchor, on your rival's %(point)s-point."),
    "makes_point": _("The better play makes your %(point)s-point."),
    "keeps_anchor": _("The better play keeps the anchor on your rival's %(point)s-point."),
    "keeps_point": _("The better play keeps your %(point)s-point together."),
    "prime": _("The better play builds a wall of %(points)s points in a row."),
    "runs": _("The better play brings a man out of your rival's home."),
    "waits": _("The better play leaves the men in your rival's home where they are."),
    "stack": _("You left %(men)s men on one point; the better play spreads them."),
    "spread": _("The better play fills more points of your home, so that fewer pips are wasted later."),
    "pips": _("The better play is %(pips)s pips ahead of yours."),
    "other": _("What the better play gains is small, and shows only some rolls later."),
    "double_missed": _("This was a double: you win %(win)s of the games from here, and your rival still takes."),
    "cash_missed": _("This was a double: you win %(win)s of the games from here, and your rival drops."),
    "double_early": _("Too early to double: you win %(win)s of the games, and it is right from %(from)s on."),
    "double_wrong": _("You win %(win)s of the games, and still the cube is better where it was."),
    "too_good": _("Too good to double: play on for a gammon, which comes in %(gammons)s of the games."),
    "take_low": _("You win %(win)s of the games, and need %(need)s to take: drop."),
    "take_wrong": _("You win %(win)s of the games, which is not enough here: drop."),
    "drop_high": _("You win %(win)s of the games, and %(need)s are enough to take."),
    "drop_wrong": _("You win %(win)s of the games, which is enough to take."),
}

GRADES: Mapping[str, Promise] = {
    "doubtful": _p("grade", "Inaccuracy"),
    "error": _p("grade", "Error"),
    "blunder": _p("grade", "Blunder"),
}
ACTIONS: Mapping[str, Promise] = {
    "roll": _p("cube", "do not double"),
    "double": _p("cube", "double"),
    "take": _p("cube", "take"),
    "drop": _p("cube", "drop"),
}
ANSWERS: Mapping[str, Promise] = {
    "hold": _("No double"),
    "double_take": _("Double, take"),
    "double_drop": _("Double, drop"),
    "too_good": _("Too good to double"),
}
PHASES: Mapping[str, Promise] = {
    "opening": _p("phase", "Opening"),
    "contact": _p("phase", "Middle game"),
    "race": _p("phase", "Race"),
    "bearoff": _p("phase", "Bear-off"),
    "cube": _p("phase", "Cube"),
}
DEPTHS: Mapping[str, Promise] = {
    "quick": _p("depth", "Quick"),
    "normal": _p("depth", "Thorough"),
    "deep": _p("depth", "Deep"),
}
LEVELS: tuple[tuple[float, Promise], ...] = (
    (3, _("world class")),
    (5, _("expert")),
    (8, _("strong club player")),
    (12, _("club player")),
    (18, _("on the way")),
    (25, _("beginner")),
)
"""What an error rate below a number is like, the lowest first."""

SHARES = frozenset({"win", "need", "from", "gammons"})
"""What the reasons tell in hundredths."""


def sentence(word: Word) -> str:
    """One reason as a sentence."""
    code, params = word
    if code == "open_more":
        text = ngettext(
            "You left %(men)s man open, whom %(shots)s rolls of 36 hit; after the better play %(better)s do.",
            "You left %(men)s men open, whom %(shots)s rolls of 36 hit; after the better play %(better)s do.",
            params["men"],
        )
    elif code == "open_safe":
        text = ngettext(
            "You left %(men)s man open, whom %(shots)s rolls of 36 hit; the better play leaves none.",
            "You left %(men)s men open, whom %(shots)s rolls of 36 hit; the better play leaves none.",
            params["men"],
        )
    elif code == "dares":
        text = ngettext(
            "The better play can be hit by %(shots)s roll of 36, which is worth the risk.",
            "The better play can be hit by %(shots)s rolls of 36, which is worth the risk.",
            params["shots"],
        )
    elif code == "off_more":
        text = ngettext(
            "The better play takes %(men)s man more off.",
            "The better play takes %(men)s men more off.",
            params["men"],
        )
    else:
        text = str(SENTENCES.get(code, SENTENCES["other"]))
    return text % {name: percent(value / 100) if name in SHARES else value for name, value in params.items()}


def sentences(words: Iterable[Word]) -> list[str]:
    """The reasons of a decision as sentences."""
    return [sentence(word) for word in words]


def action(text: str) -> str:
    """A cube action as pages name it; a play as it is written."""
    return str(ACTIONS.get(text, text))


def level(rate: float | None) -> str:
    """What an error rate is like; "" without one."""
    if rate is None:
        return ""
    return str(next((name for most, name in LEVELS if rate < most), _t("still learning")))


def named(names: Mapping[str, Any], key: str) -> str:
    """The name of a key, or the key."""
    return str(names.get(key, key))
