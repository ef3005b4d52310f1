"""The blocking client."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from typing import Any

from tablero_client import wire


class Client:
    """A site and a token. Each call is one request; threads may share a client."""

    def __init__(self, site: str, token: str = "", *, timeout: float = 30.0) -> None:
        self.site, self.token, self.timeout = site.rstrip("/"), token, timeout

    def call(self, operation: str, **parameters: Any) -> Any:
        """Call an operation and return its answer (None for an empty one). Raises KeyError, Refused, OSError."""
        with self._open(*wire.build_request(operation, parameters)) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def events(
        self, *, kinds: Sequence[str] = (), subjects: Sequence[str] = (), after: int | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield events for ever, from `after` on or from now; comes back after a break. Raises Refused."""
        cursor = wire.EventCursor(kinds, subjects, after)
        while True:
            pause = wire.BREAK
            try:
                with self._open("GET", cursor.path, accept=wire.JSON_LINES) as lines:
                    for line in lines:
                        if (event := cursor.read(line)) is not None:
                            yield event
            except wire.Refused as refused:
                pause = wire.pause_after(refused)
            except (OSError, http.client.HTTPException):
                pass  # the site restarts, or the network is away
            time.sleep(pause)

    def _open(self, method: str, path: str, body: bytes | None = None, *, accept: str = wire.JSON) -> Any:
        headers = wire.build_headers(self.token, body, accept)
        request = urllib.request.Request(f"{self.site}{path}", body, headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=self.timeout)
        except urllib.error.HTTPError as error:
            raise wire.build_refusal(error.code, error.read(), error.headers.get("Retry-After", "")) from None
