"""Who leaves, or shuts others out, is not told on the devices that were his."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User
from notices.services import devices


@receiver(user_logged_out)
def forget_this_device(request: HttpRequest | None, user: User | None, **more: Any) -> None:
    """A person logs out: this browser is no longer told what is his."""
    here = _here(request)
    if user is not None and here is not None:
        devices.device_remove(user=user, device_id=here)


@receiver([password_changed, password_set, password_reset])
def forget_the_others(request: HttpRequest, user: User, **more: Any) -> None:
    """Another password ends all other log-ins, and so what they brought. A reset link is opened on any device: all."""
    devices.devices_remove(user=user, but=_here(request) if getattr(request, "user", None) == user else None)


def _here(request: HttpRequest | None) -> int | None:
    """The device of this browser, if it is one; a request of a program may come without a session."""
    session = getattr(request, "session", None)
    return None if session is None else session.get(devices.SESSION)
