"""What a consumer keeps of its socket's handshake."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from daphne.ws_protocol import WebSocketProtocol

from games.connections import registry
from games.connections.transport import ClientBuffers
from games.consumers.base import PlayConsumer


async def test_a_consumer_that_has_connected_keeps_the_language_and_neither_scope_nor_headers() -> None:
    """The scope of the server and the copy that the router made of it (docs/adr/0040)."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    protocol = WebSocketProtocol()
    protocol.transport = SimpleNamespace(disconnected=False)
    protocol.http_headers, protocol.clean_headers = {"accept-language": "es"}, [(b"accept-language", b"es")]
    scope: dict[str, Any] = {"type": "websocket", "headers": protocol.clean_headers}
    consumer = PlayConsumer()
    consumer.scope = {**scope, "client_buffers": ClientBuffers(protocol, scope)}
    consumer.base_send = send
    await consumer.websocket_connect({"type": "websocket.connect"})
    registry.current_registry().remove(consumer)
    assert [each["type"] for each in sent] == ["websocket.accept"]
    assert consumer.language == "es"
    assert [consumer.scope, scope, protocol.http_headers, protocol.clean_headers] == [{}, {}, {}, []]
