"""The least ASGI application with a WebSocket: it sends each frame back."""

from __future__ import annotations

from typing import Any


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Accept every socket and echo its frames."""
    if scope["type"] != "websocket":
        return
    await receive()
    await send({"type": "websocket.accept"})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": message["text"]})
