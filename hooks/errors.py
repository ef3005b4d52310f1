"""What somebody asked of his streams and webhooks and cannot be: `Refused` as everywhere, with sentences of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import errors

TEXTS: dict[str, str | Promise] = {
    "hook_member": _("Only members can have webhooks."),
    "hook_most": _("You have %(most)s webhooks already. Remove one first."),
    "hook_url": _("A webhook goes to an https address with a public name, on the usual port."),
    "hook_name": _("A name has at most %(most)s letters."),
    "hook_kinds": _("There is no such kind of event: %(kind)s."),
    "hook_subjects": _("You cannot listen to %(subject)s."),
    "hook_subjects_most": _("One can listen to %(most)s things at most."),
    "no_hook": _("There is no such webhook."),
    "no_delivery": _("There is no such delivery."),
    "hook_off": _("This webhook rests. Switch it on first."),
    "hook_often": _("That was often enough for now. Try again in a minute."),
    "stream_after": _("The number to go on from is a whole number."),
}


class Refused(errors.Refused):
    """As in `accounts`; knows the sentences of streams and webhooks too."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}
