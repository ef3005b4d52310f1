"""The message storage: a cookie that no other host can set, a log line for each error, and no message twice."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.contrib.messages import ERROR
from django.contrib.messages.storage.base import Message
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
    """Stores messages in the cookie; those too long for it in the session.

    A page that a script fetches behind the reader's back (`X-Requested-With: fetch`) shows none, and leaves them to the
    page that the reader waits for.
    """

    storage_classes = (HostCookieStorage, SessionStorage)

    def _get(self, *args: Any, **kwargs: Any) -> tuple[list[Message], bool]:
        if self.request.method == "GET" and self.request.headers.get("X-Requested-With") == "fetch":
            return [], True
        messages, complete = super()._get(*args, **kwargs)  # type: ignore[misc]  # not in the stubs
        once = {(message.level, str(message.message), message.extra_tags): message for message in messages if message}
        return list(once.values()), complete

    def add(self, level: int, message: str, extra_tags: str | None = "") -> None:
        """Log an error as well (ASVS 16.3.3), without its text: that can repeat what was typed."""
        if level == ERROR:
            match = self.request.resolver_match
            user = getattr(self.request, "user", None)
            author = f"user {user.pk}" if user is not None and user.is_authenticated else "somebody"
            log.info("a form of %s was refused: %s", author, match.view_name if match else "no view")
        super().add(level, message, extra_tags)
