"""What was done in a club, as its story tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import ClubEvent, Membership

KINDS: Mapping[str, str | Promise] = {
    "created": gettext_lazy("The club was opened."),
    "changed": gettext_lazy("The page or the policies of the club were changed."),
    "asked": gettext_lazy("%(name)s asked to join."),
    "declined": gettext_lazy("%(name)s was not let in."),
    "joined": gettext_lazy("%(name)s joined."),
    "left": gettext_lazy("%(name)s left."),
    "removed": gettext_lazy("%(name)s was removed."),
    "role": gettext_lazy("%(name)s: from %(before)s to %(after)s."),
    "until": gettext_lazy("%(name)s is a member until %(until)s."),
    "invited": gettext_lazy("An invitation was made."),
    "revoked": gettext_lazy("An invitation was taken back."),
}


def told(event: ClubEvent) -> str:
    """The sentence of an event in the reader's language."""
    sentence = KINDS.get(event.kind, "")
    name = event.about.username if event.about is not None else _("somebody who is gone")
    facts = {"name": name} | {key: READ[key](value) for key, value in event.data.items() if key in READ}
    return str(sentence) % facts if sentence else event.kind


def _role(value: Any) -> str:
    return str(Membership.Role(value).label).lower()


def _until(value: Any) -> str:
    return date_format(date.fromisoformat(value), "DATE_FORMAT") if value else _("further notice")


READ: Mapping[str, Callable[[Any], str]] = {"before": _role, "after": _role, "until": _until}
