"""What the choices of a director are called, with a line about each format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

Words = Mapping[str, Promise]

FACTS: Words = {
    "knockout": _("One loss and you are out, or play on in the consolation."),
    "double": _("Two losses and you are out; the final is a true one."),
    "swiss": _("Nobody is out: equal scores meet."),
    "round-robin": _("Everybody meets everybody."),
    "groups": _("The best of each group go on to a bracket."),
    "league": _("Divisions that play for weeks, up and down."),
    "losses": _("Like Swiss, until one is left."),
}
VENUES: Words = {
    "both": _("Here or over the board"),
    "online": _("Only here"),
    "board": _("Only over the board"),
}
CONSOLATIONS: Words = {
    "none": _p("consolation", "None"),
    "simple": _p("consolation", "For first-match losers"),
    "progressive": _p("consolation", "Progressive"),
}
BYES: Words = {"top": _("To the top places"), "drawn": _("Spread by the draw")}
ENTRIES: Words = {
    "all": _("Everybody"),
    "password": _("Who knows the password"),
    "invited": _("Who has the link"),
}
SEEDINGS: Words = {
    "drawn": _("By lot, which anyone can check"),
    "hand": _("By hand: seeded places, then order of entry"),
}
PACES: Words = {
    "flow": _("As soon as both players are known"),
    "hand": _("When the director opens it"),
    "timed": _("At a time, one after the other"),
}
PLACES: Sequence[Promise] = (
    _p("place of a tie-break", "First"),
    _p("place of a tie-break", "Second"),
    _p("place of a tie-break", "Third"),
    _p("place of a tie-break", "Fourth"),
    _p("place of a tie-break", "Fifth"),
    _p("place of a tie-break", "Sixth"),
)
