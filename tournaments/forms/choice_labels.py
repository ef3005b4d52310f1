"""Labels of the choices in the form of a tournament, and a description of each format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from tournaments import teams
from tournaments.formats.standings import OF_TEAMS
from tournaments.selectors import labels
from tournaments.series import LENGTHS

Labels = Mapping[str, Promise]

FORMAT_DESCRIPTIONS: Labels = {
    "knockout": _("One loss and you're out, or you continue in the consolation."),
    "double": _("Two losses and you're out, in the final too."),
    "swiss": _("Nobody is eliminated. Players on equal scores meet."),
    "round-robin": _("Everyone plays everyone."),
    "groups": _("The best players of each group advance to a bracket."),
    "league": _("Divisions play over several weeks, with promotion and relegation."),
    "losses": _("Swiss pairings until one player is left."),
    "arena": _("Short matches online for a fixed time. Players join and pause whenever they like."),
    "exhibition": _("One host plays all guests at once. The host is seed number 1."),
}
VENUES: Labels = {
    "both": _("Online or over the board"),
    "online": _("Online only"),
    "board": _("Over the board only"),
}
CONSOLATIONS: Labels = {
    "none": _p("consolation", "None"),
    "simple": _p("consolation", "For players who lose their first match"),
    "progressive": _p("consolation", "Progressive"),
}
BYES: Labels = {"top": _("To the top of the draw"), "drawn": _("Spread by the draw")}
ENTRIES: Labels = {
    "all": _("Everyone"),
    "password": _("Anyone with the password"),
    "invited": _("Anyone with the link"),
}
SEEDINGS: Labels = {
    "drawn": _("Random draw that anyone can verify"),
    "hand": _("Manual: seeds, then order of registration"),
}
UNSEEDED: Labels = {
    "drawn": _("By lot, in a draw that anyone can verify"),
    "hand": _("In the order of registration"),
}
PACES: Labels = {
    "flow": _("As soon as both players are known"),
    "hand": _("When the director opens it"),
    "timed": _("At set times, one after another"),
}


SERIES_ROUNDS: Mapping[str, Promise] = {
    "0": _("All rounds"),
    "3": _("Quarter-finals, semi-finals and final"),
    "2": _("Semi-finals and final"),
    "1": _("The final only"),
}


def series_lengths() -> dict[str, str]:
    """How many matches decide a pairing: a single one, or a series."""
    series = {str(number): _t("Series: best of %(n)s") % {"n": number} for number in LENGTHS}
    return {"1": _t("A single match")} | series


def boards() -> dict[str, str]:
    """Who plays: single players, or teams of so many boards."""
    numbers = range(teams.FEWEST_BOARDS, teams.MOST_BOARDS + 1)
    return {"0": _t("Single players")} | {str(number): _t("Teams of %(n)s") % {"n": number} for number in numbers}


def tie_break(key: str) -> str:
    """A tie-break as a choice; one of teams says so."""
    label = labels.capitalize(labels.label_of(labels.TIE_BREAKS, key))
    return _t("%(name)s (teams)") % {"name": label} if key in OF_TEAMS else label


TIE_BREAK_PLACES: Sequence[Promise] = (
    _p("place of a tie-break", "First"),
    _p("place of a tie-break", "Second"),
    _p("place of a tie-break", "Third"),
    _p("place of a tie-break", "Fourth"),
    _p("place of a tie-break", "Fifth"),
    _p("place of a tie-break", "Sixth"),
)
