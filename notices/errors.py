"""What somebody asked of his notices and cannot be: `Refused` as everywhere, with sentences of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import errors

TEXTS: dict[str, str | Promise] = {
    "notice_member": _("Guests are told on the page alone. Signing up takes a minute and keeps your games."),
    "notice_digest": _("Mail goes out at once, every hour, at an hour of the day, or never."),
    "notice_quiet": _("Quiet hours have a beginning and an end."),
    "notice_zone": _("There is no such time zone."),
    "push_address": _("Your browser gave no address that notices can be sent to."),
    "push_often": _("That was often enough for now. Try again in an hour."),
}


class Refused(errors.Refused):
    """As in `accounts`; knows the sentences of notices too."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}
