"""The refusals of notifications: `Refused` as everywhere, with sentences of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import errors

TEXTS: dict[str, str | Promise] = {
    "notice_member": _(
        "Guests get notifications only on the site. Sign up to get them by e-mail and on your "
        "devices; you keep your games."
    ),
    "notice_digest": _("Choose when to send e-mail: immediately, every hour, once a day or never."),
    "notice_quiet": _("Choose a start and an end for quiet hours."),
    "notice_zone": _("Unknown time zone. Use a name such as Europe/Madrid."),
    "push_address": _("Your browser could not turn on notifications. Reload the page and try again."),
    "push_often": _("Too many attempts. Try again in an hour."),
}


class Refused(errors.Refused):
    """A refusal of `accounts` or of notifications."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}
