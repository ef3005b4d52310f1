"""Where a word to who was just here waits for the next page: in a cookie that no other host can set."""

from __future__ import annotations

import logging

from django.conf import settings
from django.contrib.messages import ERROR
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage

log = logging.getLogger(__name__)


class OwnCookie(CookieStorage):
    """The cookie of Django's messages, over https with the name that a browser takes from this host alone."""

    @property
    def cookie_name(self) -> str:  # type: ignore[override]
        return "__Host-messages" if settings.HTTPS else "messages"


class Messages(FallbackStorage):
    """In the cookie; what is too long for it, in the session."""

    storage_classes = (OwnCookie, SessionStorage)

    def add(self, level: int, message: str, extra_tags: str | None = "") -> None:
        """A refusal stands in the log too (ASVS 16.3.3), without its words: they can repeat what was typed."""
        if level == ERROR:
            match = self.request.resolver_match
            user = getattr(self.request, "user", None)
            who = f"user {user.pk}" if user is not None and user.is_authenticated else "somebody"
            log.info("a form of %s was refused: %s", who, match.view_name if match else "no view")
        super().add(level, message, extra_tags)
