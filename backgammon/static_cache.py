"""An in-memory cache of immutable static files: those whose names contain a hash of their content.

Through Django's middleware a file takes 3.5 ms of processor time, for which moves wait; from this cache 0.6 ms
(docs/adr/0008-whitenoise-and-hashed-modules.md). The first response is Django's own
with all its headers. Range and conditional requests, and files that may change, always go to Django.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple

from django.conf import settings

from backgammon.ops import metrics
from backgammon.ops.request_middleware import request_id

Scope = MutableMapping[str, Any]
Headers = list[tuple[bytes, bytes]]
Application = Callable[..., Awaitable[None]]

SPECIAL = frozenset({b"range", b"if-none-match", b"if-modified-since"})
REQUEST_ID = b"x-request-id"


class CachedResponse(NamedTuple):
    """A file as it was sent to one kind of browser."""

    headers: Headers
    body: bytes


class StaticCache:
    """ASGI middleware around Django that holds the site's static files, once for each kind of request."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.copies: dict[tuple[object, ...], CachedResponse] = {}

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        key = cache_key(scope)
        if key is None:
            await self.application(scope, receive, send)
        elif copy := self.copies.get(key):
            began = time.perf_counter()
            proposed = next((value for name, value in scope["headers"] if name == REQUEST_ID), b"")
            id_header = (REQUEST_ID, request_id(proposed.decode("latin-1")).encode())
            await send({"type": "http.response.start", "status": 200, "headers": [*copy.headers, id_header]})
            await send({"type": "http.response.body", "body": copy.body})
            metrics.count_response("none", 200, time.perf_counter() - began)
        else:
            await self.application(scope, receive, self._recording(key, send))

    def _recording(self, key: tuple[object, ...], send: Any) -> Callable[[MutableMapping[str, Any]], Awaitable[None]]:
        """Return a `send` that also stores a complete response if it is immutable."""
        begin: dict[str, Any] = {}
        parts: list[bytes] = []

        async def send_and_record(message: MutableMapping[str, Any]) -> None:
            await send(message)
            if message["type"] == "http.response.start":
                begin.update(message)
            elif begin["status"] == 200 and is_immutable(begin["headers"]):
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    headers = [(name, value) for name, value in begin["headers"] if name.lower() != REQUEST_ID]
                    self.copies[key] = CachedResponse(headers, b"".join(parts))

        return send_and_record


def cache_key(scope: Scope) -> tuple[object, ...] | None:
    """Return everything that a response may depend on; None if this request is not cached."""
    if scope["type"] != "http" or scope["method"] != "GET" or settings.LOG_REQUESTS:
        return None
    if not scope["path"].startswith(settings.STATIC_URL) or scope["query_string"]:
        return None
    if any(name in SPECIAL for name, _ in scope["headers"]):
        return None
    encodings, proxied = (_joined(scope, name) for name in (b"accept-encoding", b"x-forwarded-proto"))
    if proxied not in (b"", b"http", b"https"):
        return None  # several proxies: Django decides which of them counts
    compression = tuple(bool(re.search(word, encodings)) for word in (rb"\bgzip\b", rb"\bbr\b"))
    return scope["path"], scope["scheme"], proxied, compression


def _joined(scope: Scope, name: bytes) -> bytes:
    """Return a header as Django reads it; it may occur several times."""
    return b",".join(value for header, value in scope["headers"] if header == name)


def is_immutable(headers: Headers) -> bool:
    """Whether the response is marked immutable: its file name contains a hash."""
    return any(name.lower() == b"cache-control" and b"immutable" in value for name, value in headers)
