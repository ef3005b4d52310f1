"""The scopes of tokens: what software may do in a user's name.

A browser's session has all of them. A token has those that its owner chose, and never permits more than the owner may
do on the pages.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

READ, PLAY, CHAT, SETTINGS = "read", "play", "talk", "settings"
ANALYSIS, DESK, CLUB, HOOKS = "analysis", "desk", "club", "hooks"

SCOPES: dict[str, Promise] = {
    READ: _("Read what you can see: players, matches, tournaments and your own pages"),
    PLAY: _("Play for you: post and accept games, play matches, enter tournaments and ladders"),
    CHAT: _("Send messages in your name"),
    SETTINGS: _("Change your settings and notes, and follow, mute or block players"),
    ANALYSIS: _("Request analyses and import matches"),
    DESK: _("Direct your tournaments"),
    CLUB: _("Manage your clubs"),
    HOOKS: _("Receive events as they happen, including through webhooks"),
}
ALL_SCOPES = frozenset(SCOPES)
BOT_SCOPES = frozenset({READ, PLAY, CHAT, HOOKS})
"""The scopes of a bot's token: a bot plays, and directs nothing."""


def known_scopes(scopes: Iterable[str]) -> frozenset[str]:
    """Those of these words that are scopes."""
    return ALL_SCOPES & set(scopes)
