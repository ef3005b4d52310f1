"""The devices on which people are told: the only writer of subscriptions. What goes to them is sent by `push`."""

from __future__ import annotations

import hashlib
from functools import cache

from django.conf import settings
from django.db import transaction

from accounts import outbound
from accounts.models import User
from games.database import now
from notices.errors import Refused
from notices.models import Device
from notices.push import club_key, sealing

MOST = 10
"""Devices of one person."""
SESSION = "push_device"
"""Under which a log-in remembers the device that it was made on."""


@cache
def own_key() -> club_key.ClubKey:
    """The club's key: from the environment, else the one kept in `var/`."""
    given = settings.VAPID_PRIVATE_KEY
    return club_key.ClubKey(given) if given else club_key.kept(settings.VAR_DIR / "vapid_key")


def device_add(
    *, user: User, endpoint: str, receiver: str, auth: str, name: str = "", language: str = "", was: str = ""
) -> Device:
    """Keep a subscription of a browser; the same one twice is one row, and belongs to who brought it last.

    `was` is the address of the subscription that this one renews. Of more than `MOST` the one that was added
    first goes. Raises Refused: ``notice_member`` and ``push_address`` (no address or keys that one can send to).
    """
    if user.is_guest or user.is_bot:
        raise Refused("notice_member")
    try:
        outbound.parse(endpoint, loopback=settings.PUSH_LOOPBACK)
        sealing.sealed(b"", receiver=sealing.unb64(receiver), auth=sealing.unb64(auth))
    except ValueError as error:
        raise Refused("push_address") from error
    facts = {
        "user": user,
        "endpoint": endpoint,
        "receiver": receiver,
        "auth": auth,
        "club_key": own_key().public,
        "name": " ".join(name.split())[:40],
        "language": language,
        "at": now(),
        "failing_since": None,
        "failures": 0,
        "rests_until": None,
    }
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if was and was != endpoint and (old := Device.objects.filter(user=user, mark=mark(was)).first()):
            facts["name"] = facts["name"] or old.name
            old.delete()
        device, _made = Device.objects.update_or_create(mark=mark(endpoint), defaults=facts)
        kept = user.devices.order_by("-at", "-pk").values_list("pk", flat=True)[:MOST]
        Device.objects.filter(user=user).exclude(pk__in=list(kept)).delete()
    return device


def device_remove(*, user: User, device_id: int) -> None:
    """Forget a device of this person; where there is none nothing happens."""
    Device.objects.filter(user=user, pk=device_id).delete()


def devices_remove(*, user: User, but: int | None = None) -> None:
    """Forget all devices of a person, `but` one: whoever changed the password may want others out."""
    Device.objects.filter(user=user).exclude(pk__in=[] if but is None else [but]).delete()


def mark(endpoint: str) -> str:
    """By which an address is found again."""
    return hashlib.sha256(endpoint.encode()).hexdigest()
