"""The refusals of streams and webhooks: `Refused` as everywhere, with sentences of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import errors

TEXTS: dict[str, str | Promise] = {
    "hook_member": _("Sign up to use webhooks."),
    "hook_most": _("You already have %(most)s webhooks, the maximum. Delete one first."),
    "hook_url": _("Use an https URL with a public host name and the standard port."),
    "hook_name": _("Use at most %(most)s characters for the name."),
    "hook_kinds": _("Unknown event type: %(kind)s."),
    "hook_subjects": _("You cannot subscribe to %(subject)s."),
    "hook_subjects_most": _("Choose at most %(most)s matches, tournaments or ladders."),
    "no_hook": _("Webhook not found."),
    "no_delivery": _("Delivery not found."),
    "hook_off": _("This webhook is turned off. Turn it on first."),
    "hook_often": _("Too many requests. Try again in a minute."),
    "stream_after": _("The number of the event to start from must be a whole number."),
}


class Refused(errors.Refused):
    """As in `accounts`; knows the sentences of streams and webhooks too."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}
