"""What a program may do in somebody's name: few and plain words, each of which a person can grant or not.

A browser's session has all of them. A token carries those that its owner chose, and never does more than he himself
may do on the pages.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

READ, PLAY, TALK, SETTINGS = "read", "play", "talk", "settings"
ANALYSIS, DESK, CLUB, HOOKS = "analysis", "desk", "club", "hooks"

SCOPES: dict[str, Promise] = {
    READ: _("See what you see: players, matches, tournaments, your own pages"),
    PLAY: _("Play for you: offer, accept and play matches, enter tournaments and ladders"),
    TALK: _("Write messages in your name"),
    SETTINGS: _("Change your settings, whom you follow or block, and your notes"),
    ANALYSIS: _("Ask for analyses and import matches"),
    DESK: _("Direct your tournaments"),
    CLUB: _("Look after your clubs"),
    HOOKS: _("Hear of events as they happen, and have them sent to an address"),
}
ALL = frozenset(SCOPES)
OF_BOTS = frozenset({READ, PLAY, TALK, HOOKS})
"""What the token of a bot opens: a bot plays, and is nobody's desk."""


def known(scopes: Iterable[str]) -> frozenset[str]:
    """Those of these words that are scopes of ours."""
    return ALL & set(scopes)
