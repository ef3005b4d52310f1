"""The Origin of a socket has to be the site's own: the same scheme, host and port as Django asks of a form.

A browser sends its session cookie with every socket, also with one that a page of another site opens, or of another
port of this host. Only its Origin tells where the page came from.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from io import BytesIO
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

Scope = MutableMapping[str, Any]
Application = Callable[[Scope, Any, Any], Awaitable[Any]]

log = logging.getLogger(__name__)


class SameOriginMiddleware:
    """Refuse a handshake (403) whose Origin is neither this site's nor in CSRF_TRUSTED_ORIGINS.

    A socket of pages (`required`) needs one. A program sends none, and acts by its token alone.
    """

    def __init__(self, application: Application, *, required: bool) -> None:
        self.application = application
        self.required = required
        self._csrf: Any = CsrfViewMiddleware(lambda request: HttpResponse())

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        application: Any = self.application if self._allows(scope) else WebsocketDenier.as_asgi()
        await application(scope, receive, send)

    def _allows(self, scope: Scope) -> bool:
        """Whether a handshake is accepted. The request made for it is not kept as long as the socket."""
        request = handshake_request(scope)
        origin = request.META.get("HTTP_ORIGIN")
        is_allowed: bool = not self.required if origin is None else self._csrf._origin_verified(request)
        if not is_allowed:
            log.warning("refused a socket: its Origin %r is not this site's", origin)
        return is_allowed


def handshake_request(scope: Scope) -> ASGIRequest:
    """Return the HTTP request of a socket's handshake: its host, and its scheme as TRUST_PROXY has it for pages."""
    scheme = {"wss": "https"}.get(scope.get("scheme", "ws"), "http")
    return ASGIRequest({**scope, "type": "http", "method": "GET", "scheme": scheme}, BytesIO())
