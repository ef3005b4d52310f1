"""What happens around a log-in that is no part of it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.models import User


@receiver(user_logged_in)
def language_follows_the_member(request: HttpRequest | None, user: User, **_: Any) -> None:
    """Ask `LanguageMiddleware` to put the member's stored language into this browser's cookie."""
    if request is not None and user.language:
        request.new_language = user.language  # type: ignore[attr-defined]
