"""What the pages show of a person's devices."""

from __future__ import annotations

from accounts.models import User
from notices.models import Device


def devices_of(user: User) -> list[Device]:
    """His devices, the newest first."""
    return list(Device.objects.filter(user=user))
