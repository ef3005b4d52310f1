"""Names of kinds, spans of time, lists of places, and why one may not challenge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy
from django.utils.translation import pgettext as _p

Words = Mapping[str, Promise]
Data = Mapping[str, Any]

KINDS: Words = {
    "rating": pgettext_lazy("ladder", "By rating"),
    "challenge": pgettext_lazy("ladder", "By challenge"),
    "season": pgettext_lazy("ladder", "Season points"),
    "hill": pgettext_lazy("ladder", "King of the hill"),
}
KIND_DESCRIPTIONS: Words = {
    "rating": _("Players are ranked by rating automatically."),
    "challenge": _("Challenge a player above you and win to take their place."),
    "season": _("Every match earns points; the player with the most points leads."),
    "hill": _("One player is king; the others queue to play for the crown."),
}
# Why one may not challenge somebody, in short: it stands beside many names. All other reasons are shown in full.
SHORT_REASONS: Words = {
    "ladder_not_above": _("below you"),
    "ladder_too_far": _("out of reach"),
    "ladder_rival_away": _("away"),
    "ladder_rival_frozen": _("frozen"),
    "ladder_rival_immune": _("protected after a defence"),
    "ladder_called": _("open challenge between you"),
    "ladder_most_in": _("already has a challenge"),
    "ladder_rematch": _("you played recently"),
}
# What the list itself shows.
UNSAID_REASONS = frozenset({"ladder_only_king"})
# What keeps one from challenging anybody: shown once, above the list.
BLOCKS_ALL_CHALLENGES = frozenset(
    {"ladder_away", "ladder_most_out", "ladder_closed", "ladder_king_waits", "ladder_king_plays"}
)


def kind(key: str) -> str:
    """The name of a kind of ladder; a key without a name is shown as it is."""
    return str(KINDS.get(key, key))


def days(n: int) -> str:
    return ngettext("%(n)s day", "%(n)s days", n) % {"n": n}


def hours(n: int) -> str:
    """A length of time in its largest unit: `36 hours`, `2 days`."""
    if n and n % 24 == 0:
        return days(n // 24)
    return ngettext("%(n)s hour", "%(n)s hours", n) % {"n": n}


def score(points: float) -> str:
    """Points of a season: whole where they are whole."""
    return f"{points:g}"


def place_list(places: Sequence[int]) -> str:
    """Places from the top down, those that follow one another in short: `3`, `2, 3`, `1, 4 to 9`."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(part for run in runs for part in _run(run))


def _run(run: list[int]) -> list[str]:
    if len(run) < 3:
        return [str(place) for place in run]
    return [_p("places", "%(first)s to %(last)s") % {"first": run[0], "last": run[-1]}]
