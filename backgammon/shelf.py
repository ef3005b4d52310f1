"""What never changes is made once: a file under a name that holds its hash is answered again from memory.

A board is some eighty small files (docs/adr/0008-whitenoise-and-hashed-modules.md). Each costs the whole way through
Django's middleware 3.5 ms of a processor, which moves wait for; from here it is 0.6 ms. The first answer is
Django's own, with every header that its middleware gives, and whatever is special is asked there each time: a part of
a file, a file that the browser has already, a file that may change.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple

from django.conf import settings

from backgammon.ops import metrics
from backgammon.ops.front import mark_of

Scope = MutableMapping[str, Any]
Headers = list[tuple[bytes, bytes]]
Application = Callable[..., Awaitable[None]]

SPECIAL = frozenset({b"range", b"if-none-match", b"if-modified-since"})
MARK = b"x-request-id"


class Copy(NamedTuple):
    """One file as it was answered to one kind of browser."""

    headers: Headers
    body: bytes


class Shelf:
    """Around Django. Holds no more than the site's own static files, once for each kind of request that they get."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.copies: dict[tuple[object, ...], Copy] = {}

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        key = key_of(scope)
        if key is None:
            await self.application(scope, receive, send)
        elif copy := self.copies.get(key):
            began = time.perf_counter()
            given = next((value for name, value in scope["headers"] if name == MARK), b"")
            mark = (MARK, mark_of(given.decode("latin-1")).encode())
            await send({"type": "http.response.start", "status": 200, "headers": [*copy.headers, mark]})
            await send({"type": "http.response.body", "body": copy.body})
            metrics.answered("none", 200, time.perf_counter() - began)
        else:
            await self.application(scope, receive, self._noting(key, send))

    def _noting(self, key: tuple[object, ...], send: Any) -> Callable[[MutableMapping[str, Any]], Awaitable[None]]:
        """Send on, and keep a copy of a whole answer that says itself that it never changes."""
        begin: dict[str, Any] = {}
        parts: list[bytes] = []

        async def passed_on(message: MutableMapping[str, Any]) -> None:
            await send(message)
            if message["type"] == "http.response.start":
                begin.update(message)
            elif begin["status"] == 200 and never_changes(begin["headers"]):
                parts.append(message.get("body", b""))
                if not message.get("more_body"):
                    headers = [(name, value) for name, value in begin["headers"] if name.lower() != MARK]
                    self.copies[key] = Copy(headers, b"".join(parts))

        return passed_on


def key_of(scope: Scope) -> tuple[object, ...] | None:
    """What an answer may depend on; None where this request is not for the shelf."""
    if scope["type"] != "http" or scope["method"] != "GET" or settings.LOG_REQUESTS:
        return None
    if not scope["path"].startswith(settings.STATIC_URL) or scope["query_string"]:
        return None
    if any(name in SPECIAL for name, _ in scope["headers"]):
        return None
    encodings, proxied = (_joined(scope, name) for name in (b"accept-encoding", b"x-forwarded-proto"))
    if proxied not in (b"", b"http", b"https"):
        return None  # several proxies: Django decides which of them counts
    packed = tuple(bool(re.search(word, encodings)) for word in (rb"\bgzip\b", rb"\bbr\b"))
    return scope["path"], scope["scheme"], proxied, packed


def _joined(scope: Scope, name: bytes) -> bytes:
    """A header as Django reads it, which may come several times."""
    return b",".join(value for each, value in scope["headers"] if each == name)


def never_changes(headers: Headers) -> bool:
    """Whether the answer says so: a file whose name holds its hash."""
    return any(name.lower() == b"cache-control" and b"immutable" in value for name, value in headers)
