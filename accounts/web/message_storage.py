"""Django's message storage with a cookie that no other host can set, and a log line for each error."""

from __future__ import annotations

import logging

from django.conf import settings
from django.contrib.messages import ERROR
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage

log = logging.getLogger(__name__)


class HostCookieStorage(CookieStorage):
    """The cookie of Django's messages; over HTTPS with the `__Host-` prefix, so that only this host can set it."""

    @property
    def cookie_name(self) -> str:  # type: ignore[override]
        return "__Host-messages" if settings.HTTPS else "messages"


class MessageStorage(FallbackStorage):
    """Stores messages in the cookie; those too long for it in the session."""

    storage_classes = (HostCookieStorage, SessionStorage)

    def add(self, level: int, message: str, extra_tags: str | None = "") -> None:
        """Log an error as well (ASVS 16.3.3), without its text: that can repeat what was typed."""
        if level == ERROR:
            match = self.request.resolver_match
            user = getattr(self.request, "user", None)
            author = f"user {user.pk}" if user is not None and user.is_authenticated else "somebody"
            log.info("a form of %s was refused: %s", author, match.view_name if match else "no view")
        super().add(level, message, extra_tags)
