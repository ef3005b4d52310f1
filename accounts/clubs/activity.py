"""The sentences of a club's activity log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import ClubEvent, Membership

SENTENCES: Mapping[str, str | Promise] = {
    "created": gettext_lazy("The club was created."),
    "changed": gettext_lazy("The club's page or policies were changed."),
    "asked": gettext_lazy("%(name)s asked to join."),
    "declined": gettext_lazy("The request from %(name)s was declined."),
    "joined": gettext_lazy("%(name)s joined."),
    "left": gettext_lazy("%(name)s left."),
    "removed": gettext_lazy("%(name)s was removed."),
    "role": gettext_lazy("%(name)s: role changed from %(before)s to %(after)s."),
    "until": gettext_lazy("%(name)s is a member until %(until)s."),
    "invited": gettext_lazy("An invitation was created."),
    "revoked": gettext_lazy("An invitation was revoked."),
}


def event_sentence(event: ClubEvent) -> str:
    """The sentence of an event in the active language."""
    sentence = SENTENCES.get(event.kind, "")
    name = event.about.username if event.about is not None else _("[deleted account]")
    params = {"name": name} | {key: FORMATTERS[key](value) for key, value in event.data.items() if key in FORMATTERS}
    return str(sentence) % params if sentence else event.kind


def _role(value: Any) -> str:
    return str(Membership.Role(value).label).lower()


def _until(value: Any) -> str:
    return date_format(date.fromisoformat(value), "DATE_FORMAT") if value else _("further notice")


FORMATTERS: Mapping[str, Callable[[Any], str]] = {"before": _role, "after": _role, "until": _until}
