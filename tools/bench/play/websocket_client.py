"""A minimal WebSocket client, so that a thousand of them leave the processor to the server.

It reads what daphne sends on loopback: unmasked frames in one piece, no compression (RFC 6455).
"""

from __future__ import annotations

import asyncio
import base64
import secrets
import struct
from collections.abc import Callable
from urllib.parse import urlsplit

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
LOST = 1006  # the code of a connection without a close frame (RFC 6455 7.1.5)


class Wire(asyncio.Protocol):
    """One connection. `received` is called with each text, `closed` with the close code at the end."""

    def __init__(self, received: Callable[[bytes], None], closed: Callable[[int], None]) -> None:
        self.on_text, self.closed = received, closed
        self.buffer = bytearray()
        self.opened: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.code = LOST
        self.transport: asyncio.Transport | None = None

    @property
    def is_open(self) -> bool:
        return self.transport is not None and not self.transport.is_closing()

    def send(self, text: bytes) -> None:
        self._frame(TEXT, text)

    def cut(self) -> None:
        """Drop the connection without a close frame, as a phone in a tunnel does."""
        if self.transport is not None:
            self.transport.abort()

    def leave(self) -> None:
        if self.is_open:
            self._frame(CLOSE, struct.pack("!H", 1000))

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.opened.done():
            self._handshake()
        if self.opened.done():
            while self._take_frame():
                pass

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_result(0)
        self.closed(self.code)

    # Bytes

    def _handshake(self) -> None:
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if found:
            self.buffer = bytearray(rest)
            self.opened.set_result(int(head.split(b" ", 2)[1]))

    def _take_frame(self) -> bool:
        """Take one frame off the buffer; False if it is incomplete."""
        buffer, start = self.buffer, 2
        if len(buffer) < start:
            return False
        length = buffer[1]
        if length >= 126:
            start = 4 if length == 126 else 10
            if len(buffer) < start:
                return False
            length = int.from_bytes(buffer[2:start], "big")
        if len(buffer) < start + length:
            return False
        kind, body = buffer[0] & 15, bytes(buffer[start : start + length])
        del buffer[: start + length]
        if kind == TEXT:
            self.on_text(body)
        elif kind == PING:
            self._frame(PONG, body)
        elif kind == CLOSE:
            self.code = int.from_bytes(body[:2], "big") or self.code
            self.transport.close()  # type: ignore[union-attr]
        return True

    def _frame(self, kind: int, body: bytes) -> None:
        """Send one frame. Clients must mask; a mask of four zeros leaves the bytes as they are."""
        if self.is_open:
            size = bytes([128 | len(body)]) if len(body) < 126 else b"\xfe" + struct.pack("!H", len(body))
            self.transport.write(bytes([128 | kind]) + size + bytes(4) + body)  # type: ignore[union-attr]


async def opened(
    url: str, cookie: str, *, received: Callable[[bytes], None], closed: Callable[[int], None], patience: float = 60
) -> Wire:
    """Connect to `url` (ws://127.0.0.1:port/path). Raises OSError if the server is down or refuses."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 80
    async with asyncio.timeout(patience):
        _, wire = await asyncio.get_running_loop().create_connection(lambda: Wire(received, closed), host, port)
        lines = [
            f"GET {parts.path} HTTP/1.1",
            *(f"Host: {host}:{port}", f"Origin: http://{host}:{port}", f"Cookie: {cookie}"),
            *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
            f"Sec-WebSocket-Key: {base64.b64encode(secrets.token_bytes(16)).decode()}",
        ]
        assert wire.transport is not None
        wire.transport.write("\r\n".join([*lines, "", ""]).encode())
        answer = await wire.opened
    if answer != 101:
        wire.cut()
        raise ConnectionRefusedError(f"the server answered {answer}")
    return wire
