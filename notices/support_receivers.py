"""What notices hear from the support of the site."""

from __future__ import annotations

from django.dispatch import receiver
from django.urls import reverse

from accounts.signals import person_renamed
from notices import services
from notices.told import Draft


@receiver(person_renamed)
def renamed(sender: object, user_id: int, was: str, now: str, **more: object) -> None:
    """Who got another name is told: he logs in by it."""
    draft = Draft("renamed", str(user_id), reverse("player", args=[now]), {"from": now, "title": was}, mark=now)
    services.notice_write(user_id=user_id, draft=draft)
