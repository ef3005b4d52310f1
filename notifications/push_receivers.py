"""Removing devices: a user who signs out, or signs others out, is no longer notified there."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User
from notifications.services import devices


@receiver(user_logged_out)
def forget_this_device(request: HttpRequest | None, user: User | None, **more: Any) -> None:
    """Forget this browser when its user signs out."""
    here = _here(request)
    if user is not None and here is not None:
        devices.device_remove(user=user, device_id=here)


@receiver([password_changed, password_set, password_reset])
def forget_the_others(request: HttpRequest, user: User, **more: Any) -> None:
    """Forget the devices of all other sessions when the password changes; all devices after a reset by link."""
    devices.devices_remove(user=user, but=_here(request) if getattr(request, "user", None) == user else None)


def _here(request: HttpRequest | None) -> int | None:
    """The device of this browser, if it is one; a request of a program may come without a session."""
    session = getattr(request, "session", None)
    return None if session is None else session.get(devices.SESSION)
