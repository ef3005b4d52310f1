"""Push devices: the only writer of subscriptions. `push` sends to them."""

from __future__ import annotations

import hashlib
from functools import cache

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.web import outbound_http
from games.database import now
from notifications.errors import Refused
from notifications.models import PushDevice
from notifications.push import encryption
from notifications.push import vapid_key as club_key

MOST = 10
"""Devices of one person."""
SESSION = "push_device"
"""The session key under which a session remembers its own device."""


@cache
def vapid_key() -> club_key.VapidKey:
    """The club's key: from the environment, else the one kept in `var/`."""
    configured = settings.VAPID_PRIVATE_KEY
    return club_key.VapidKey(configured) if configured else club_key.load_or_create_key(settings.VAR_DIR / "vapid_key")


def device_add(
    *, user: User, endpoint: str, receiver: str, auth: str, name: str = "", language: str = "", was: str = ""
) -> PushDevice:
    """Save a browser's subscription; the same one twice is one row, and belongs to its latest user.

    `was` is the endpoint of the subscription that this one renews. Beyond `MOST` devices the oldest one is removed.
    Raises Refused: ``notice_member`` and ``push_address`` (an endpoint or keys that cannot be used).
    """
    if user.is_guest or user.is_bot:
        raise Refused("notice_member")
    try:
        outbound_http.parse(endpoint, loopback=settings.PUSH_LOOPBACK)
        encryption.encrypt(b"", receiver=encryption.unb64(receiver), auth=encryption.unb64(auth))
    except ValueError as error:
        raise Refused("push_address") from error
    facts = {
        "user": user,
        "endpoint": endpoint,
        "receiver": receiver,
        "auth": auth,
        "club_key": vapid_key().public,
        "name": " ".join(name.split())[:40],
        "language": language,
        "at": now(),
        "failing_since": None,
        "failures": 0,
        "rests_until": None,
    }
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if was and was != endpoint and (old := PushDevice.objects.filter(user=user, mark=device_mark(was)).first()):
            facts["name"] = facts["name"] or old.name
            old.delete()
        device, _made = PushDevice.objects.update_or_create(mark=device_mark(endpoint), defaults=facts)
        newest = user.devices.order_by("-at", "-pk").values_list("pk", flat=True)[:MOST]
        PushDevice.objects.filter(user=user).exclude(pk__in=list(newest)).delete()
    return device


def device_remove(*, user: User, device_id: int) -> None:
    """Forget a device of this person; where there is none nothing happens."""
    PushDevice.objects.filter(user=user, pk=device_id).delete()


def devices_remove(*, user: User, but: int | None = None) -> None:
    """Remove all devices of a user `but` one: changing the password may be meant to shut others out."""
    PushDevice.objects.filter(user=user).exclude(pk__in=[] if but is None else [but]).delete()


def device_mark(endpoint: str) -> str:
    """By which an address is found again."""
    return hashlib.sha256(endpoint.encode()).hexdigest()
