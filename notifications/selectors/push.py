"""What the pages show of a person's devices."""

from __future__ import annotations

from accounts.models import User
from notifications.models import PushDevice


def devices_of(user: User) -> list[PushDevice]:
    """Return a user's devices, newest first."""
    return list(PushDevice.objects.filter(user=user))
