"""What the codes of `analysis.explanations` and the numbers of a report say, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.utils.translation import pgettext_lazy as _p

from analysis.explanations import Word
from games.charts.markup import percent

SENTENCES: Mapping[str, str | Promise] = {
    "off_fewer": _("The best play bears off fewer checkers now but leaves you better placed for the next rolls."),
    "hit": _("The best play hits a blot."),
    "hit_more": _("The best play hits one more blot."),
    "hit_not": _("The best play doesn't hit: hitting here is too risky."),
    "makes_home": _("The best play makes your %(point)s-point, in your home board."),
    "makes_anchor": _("The best play makes an anchor on your opponent's %(point)s-point."),
    "makes_point": _("The best play makes your %(point)s-point."),
    "keeps_anchor": _("The best play keeps the anchor on your opponent's %(point)s-point."),
    "keeps_point": _("The best play keeps your %(point)s-point."),
    "prime": _("The best play builds a %(points)s-point prime."),
    "runs": _("The best play moves a checker out of your opponent's home board."),
    "waits": _("The best play leaves your back checkers where they are."),
    "stack": _("Your play stacks %(checkers)s checkers on one point. The best play spreads them out."),
    "spread": _("The best play fills more points in your home board, so you waste fewer pips later."),
    "pips": _("The best play gains more in the race: %(pips)s pips more than yours."),
    "other": _("The difference is small and only shows a few rolls later."),
    "double_missed": _("Double: you win %(win)s of games from here, and your opponent should take."),
    "cash_missed": _("Double: you win %(win)s of games from here, and your opponent should drop."),
    "double_early": _("Too early to double: you win %(win)s of games. Double from %(from)s."),
    "double_wrong": _("You win %(win)s of games, but it was better not to double."),
    "too_good": _("Too good to double: play on for the gammon, which you win in %(gammons)s of games."),
    "take_low": _("Drop: you win %(win)s of games and need %(need)s to take."),
    "take_wrong": _("Drop: you win %(win)s of games, which isn't enough here."),
    "drop_high": _("Take: you win %(win)s of games and only need %(need)s."),
    "drop_wrong": _("Take: you win %(win)s of games, which is enough here."),
}
PRAISE: Mapping[str, str | Promise] = {
    "safe": _("The best play leaves no blot that can be hit."),
    "safer": _("After the best play only %(shots)s of 36 rolls hit."),
    "cube_chances": _("You win %(win)s of games from here, %(gammons)s with a gammon."),
}
"""What a hint says of the best decision: no code of an error."""

GRADES: Mapping[str, Promise] = {
    "doubtful": _p("grade", "Inaccuracy"),
    "error": _p("grade", "Error"),
    "blunder": _p("grade", "Blunder"),
}
ACTIONS: Mapping[str, Promise] = {
    "roll": _p("cube", "no double"),
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
    (8, _("advanced")),
    (12, _("intermediate")),
    (18, _("improving")),
    (25, _("beginner")),
)
"""What an error rate below a number is like, lowest first."""

SHARES = frozenset({"win", "need", "from", "gammons"})
"""What the reasons tell in hundredths."""


def sentence(word: Word) -> str:
    """One reason as a sentence."""
    code, params = word
    if code == "open_more":
        text = ngettext(
            "Your play leaves %(checkers)s blot: %(shots)s of 36 rolls hit, against %(better)s after the best play.",
            "Your play leaves %(checkers)s blots: %(shots)s of 36 rolls hit, against %(better)s after the best play.",
            params["checkers"],
        )
    elif code == "open_safe":
        text = ngettext(
            "Your play leaves %(checkers)s blot: %(shots)s of 36 rolls hit. The best play leaves none.",
            "Your play leaves %(checkers)s blots: %(shots)s of 36 rolls hit. The best play leaves none.",
            params["checkers"],
        )
    elif code == "dares":
        text = ngettext(
            "The best play can be hit by %(shots)s of 36 rolls, but it is worth the risk.",
            "The best play can be hit by %(shots)s of 36 rolls, but it is worth the risk.",
            params["shots"],
        )
    elif code == "off_more":
        text = ngettext(
            "The best play bears off %(checkers)s more checker.",
            "The best play bears off %(checkers)s more checkers.",
            params["checkers"],
        )
    else:
        text = str(SENTENCES.get(code) or PRAISE.get(code, SENTENCES["other"]))
    return text % {name: percent(value / 100) if name in SHARES else value for name, value in params.items()}


def sentences(words: Iterable[Word]) -> list[str]:
    """The reasons of a decision as sentences."""
    return [sentence(word) for word in words]


def action_text(text: str) -> str:
    """A cube action as pages name it; a play as it is written."""
    return str(ACTIONS.get(text, text))


def skill_level(rate: float | None) -> str:
    """What an error rate is like; "" without one."""
    if rate is None:
        return ""
    return str(next((name for most, name in LEVELS if rate < most), _t("still learning")))


def label_of(names: Mapping[str, Any], key: str) -> str:
    """The name of a key, or the key."""
    return str(names.get(key, key))
