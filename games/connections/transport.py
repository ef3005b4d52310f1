"""The outermost ASGI application: it counts the requests under way, and shows each socket its client's buffers.

daphne has no backpressure: what a client does not read grows in the server's memory, and what it sends too fast grows
in a queue. Neither can be seen through ASGI. `ClientBuffers` is the one place that looks behind it, at daphne's
protocol object, which daphne binds into `send`; tests/games/connections/test_transport.py fails when that changes.
Under another server there are no buffers, and nothing is closed by their length.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import partial
from typing import Any

from daphne.ws_protocol import WebSocketProtocol

from games.connections.whole_frames import text_frame
from games.message_queue import Message, MessageQueue

Scope = MutableMapping[str, Any]
Application = Callable[..., Awaitable[None]]


class ClientBuffers:
    """What waits on the way to and from one client.

    A socket stays open for hours, so what it needs no more is let go (docs/adr/0040).
    """

    def __init__(self, protocol: WebSocketProtocol, scope: Scope) -> None:
        self._protocol = protocol
        self._scope = scope
        transport: Any = protocol.transport
        self._connection = getattr(transport, "transport", transport)  # of Twisted, under the wrapper of `tcp_limits`
        self._received = MessageQueue()

    def take_over(self) -> Callable[[], Awaitable[Message]]:
        """Put a smaller queue in the place of daphne's, and return its `get`. Twisted lets go of the HTTP request."""
        queue = self._protocol.application_queue
        while not queue.empty():
            self._received.put_nowait(queue.get_nowait())
        self._protocol.application_queue = self._received
        self._protocol.transport.unregisterProducer()
        self._protocol.send_queue = ()  # for frames that are sent in pieces, which daphne never does
        return self._received.get

    def forget_handshake(self) -> None:
        """Let go of the scope, and of the headers, of which autobahn and daphne keep three copies."""
        self._scope.clear()
        self._protocol.http_request_data, self._protocol.http_response_data = b"", ""
        self._protocol.http_headers.clear()
        self._protocol.clean_headers.clear()

    @property
    def unsent(self) -> int:
        """Bytes that the operating system has not taken yet, because the client does not read."""
        transport = self._connection
        return len(transport.dataBuffer) - transport.offset + transport._tempDataLen

    @property
    def gone(self) -> bool:
        """Whether the client's connection has ended."""
        return bool(self._connection.disconnected)

    def send_text(self, text: str) -> None:
        """Send a frame at once. Raises autobahn's Disconnected when the connection has just ended.

        Twisted would only note that there is something to write, and write it when the event loop looks at its sockets
        again: after everything that is ready to run now. What this write cannot send, or that it fails, it finds then.
        """
        protocol, connection = self._protocol, self._connection
        if protocol.state != protocol.STATE_OPEN or protocol._perMessageCompress is not None:
            protocol.serverSend(text, False)
            return
        frame = text_frame(text)
        if self.unsent or connection.disconnecting or not connection.connected:
            connection.write(frame)
            return
        written = connection.writeSomeData(frame)
        if not isinstance(written, int):
            connection.write(frame)
        elif written < len(frame):
            connection.write(frame[written:])

    @property
    def unread(self) -> int:
        """Frames of the client that no consumer has handled yet."""
        return len(self._received)


def buffers_of(scope: Mapping[str, Any]) -> ClientBuffers | None:
    """The buffers of a socket, if it came through `TransportMiddleware` under a daphne."""
    buffers = scope.get("client_buffers")
    return buffers if isinstance(buffers, ClientBuffers) else None


class TransportMiddleware:
    """Around the whole application: counts its requests and adds `client_buffers` to the scope of sockets."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.under_way = 0  # HTTP requests that are not answered yet

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            protocol = send.args[0] if isinstance(send, partial) and send.args else None
            if not isinstance(protocol, WebSocketProtocol):
                await self.application(scope, receive, send)
                return
            scope["client_buffers"] = buffers = ClientBuffers(protocol, scope)
            receive = buffers.take_over()  # and let go of daphne's queue
            try:
                await self.application(scope, receive, send)
            finally:
                scope.clear()  # it and its buffers hold each other: what is left in it would wait to be collected
            return
        self.under_way += 1
        try:
            await self.application(scope, receive, send)
        finally:
            self.under_way -= 1
