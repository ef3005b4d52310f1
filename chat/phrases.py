"""Quick phrases, stored by key, so that everybody reads them in their own language."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PHRASES: dict[str, str | Promise] = {
    "hello": _("Hello!"),
    "luck": _("Good luck!"),
    "well": _("Well played!"),
    "roll": _("What a roll!"),
    "thanks": _("Thanks!"),
    "sorry": _("Sorry!"),
    "moment": _("One moment, please."),
    "connection": _("Sorry, my connection."),
    "good": _("Good game!"),
    "rematch": _("Another match?"),
    "bye": _("Goodbye!"),
}


def phrase_text(key: str) -> str:
    """Return a phrase in the active language; an empty text for a key that no longer exists."""
    return str(PHRASES.get(key, ""))
