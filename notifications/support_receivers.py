"""Notifications about acts of the support."""

from __future__ import annotations

from django.dispatch import receiver
from django.urls import reverse

from accounts.signals import user_renamed
from notifications import services
from notifications.build import Draft


@receiver(user_renamed)
def renamed(sender: object, user_id: int, was: str, now: str, **more: object) -> None:
    """Notify a user whose name was changed: they sign in with it."""
    draft = Draft("renamed", str(user_id), reverse("player", args=[now]), {"from": now, "title": was}, mark=now)
    services.notification_write(user_id=user_id, draft=draft)
