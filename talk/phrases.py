"""Ready phrases: kept by their key, so that everybody reads them in his own language."""

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
    """A phrase in the active language; one that there is no longer says nothing."""
    return str(PHRASES.get(key, ""))
