"""The asynchronous client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from tablero_client import wire
from tablero_client.async_http import Answer, ask


class AsyncClient:
    """A site and a token, for asyncio. Each call is one request; tasks of an event loop may share a client."""

    def __init__(self, site: str, token: str = "", *, timeout: float = 30.0) -> None:
        self.site, self.token, self.timeout = site.rstrip("/"), token, timeout

    async def call(self, operation: str, **parameters: Any) -> Any:
        """Call an operation and return its answer (None for an empty one). Raises KeyError, Refused, OSError."""
        async with self._open(*wire.build_request(operation, parameters)) as answer:
            text = await answer.read()
        return json.loads(text) if text else None

    async def events(
        self, *, kinds: Sequence[str] = (), subjects: Sequence[str] = (), after: int | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Yield events for ever, from `after` on or from now; comes back after a break. Raises Refused."""
        cursor = wire.EventCursor(kinds, subjects, after)
        while True:
            pause = wire.BREAK
            try:
                async with self._open("GET", cursor.path, accept=wire.JSON_LINES) as answer:
                    async for line in answer.lines():
                        if (event := cursor.read(line)) is not None:
                            yield event
            except wire.Refused as refused:
                pause = wire.pause_after(refused)
            except OSError:
                pass  # the site restarts, or the network is away
            await asyncio.sleep(pause)

    @asynccontextmanager
    async def _open(
        self, method: str, path: str, body: bytes | None = None, *, accept: str = wire.JSON
    ) -> AsyncGenerator[Answer, None]:
        headers = wire.build_headers(self.token, body, accept)
        async with ask(method, f"{self.site}{path}", headers, body, timeout=self.timeout) as answer:
            if not 200 <= answer.status < 300:
                raise wire.build_refusal(answer.status, await answer.read(), answer.headers.get("retry-after", ""))
            yield answer
