"""Where a word to who was just here waits for the next page: in a cookie that no other host can set."""

from __future__ import annotations

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class OwnCookie(CookieStorage):
    """The cookie of Django's messages, over https with the name that a browser takes from this host alone."""

    @property
    def cookie_name(self) -> str:  # type: ignore[override]
        return "__Host-messages" if settings.HTTPS else "messages"


class Messages(FallbackStorage):
    """In the cookie; what is too long for it, in the session."""

    storage_classes = (OwnCookie, SessionStorage)
