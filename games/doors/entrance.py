"""The outermost ASGI application: it counts the requests under way, and shows each socket its own line.

daphne has no backpressure: what a client does not read grows in the server's memory, and what it sends too fast grows
in a queue. Neither can be seen through ASGI. `Line` is the one place that looks behind it, at daphne's protocol object,
which daphne binds into `send`; tests/games/doors/test_entrance.py fails when that changes. Under another server there
is no line, and nothing is cut by its length.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import partial
from typing import Any

from daphne.ws_protocol import WebSocketProtocol

Scope = MutableMapping[str, Any]
Application = Callable[..., Awaitable[None]]


class Line:
    """What waits on the way to and from one client."""

    def __init__(self, protocol: WebSocketProtocol) -> None:
        self._protocol = protocol

    @property
    def unsent(self) -> int:
        """Bytes that the operating system has not taken yet, because the client does not read."""
        transport = self._protocol.transport
        return len(transport.dataBuffer) - transport.offset + transport._tempDataLen

    @property
    def unread(self) -> int:
        """Frames of the client that no consumer has looked at yet."""
        return self._protocol.application_queue.qsize()  # type: ignore[no-any-return]


def line_of(scope: Mapping[str, Any]) -> Line | None:
    """The line of a socket, if it came through the entrance of a daphne."""
    line = scope.get("line")
    return line if isinstance(line, Line) else None


class Entrance:
    """Around the whole application."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.under_way = 0  # HTTP requests that are not answered yet

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            protocol = send.args[0] if isinstance(send, partial) and send.args else None
            if isinstance(protocol, WebSocketProtocol):
                scope = {**scope, "line": Line(protocol)}
            await self.application(scope, receive, send)
            return
        self.under_way += 1
        try:
            await self.application(scope, receive, send)
        finally:
            self.under_way -= 1
