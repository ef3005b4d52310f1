"""Text frames that come and go in one piece, as all do that browsers and this site send: without autobahn's detours.

autobahn handles a frame in a dozen steps, for frames in pieces, compressed ones and those of a client, and Twisted
notes what is to be written and writes it later: together a seventh of what an act takes. Whatever is not as simple as
below is left to them, errors included (RFC 6455, 5.2).
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from daphne.ws_protocol import WebSocketProtocol

TEXT = 0x81
"""The first byte of a whole text frame: the last of its message, no extensions."""
MASKED = 0x80
TWO_BYTES = 126
"""In place of a length: it follows in two bytes. Longer frames are autobahn's."""
MASK_BYTES = 4


class ReceivedFrame(NamedTuple):
    """A whole frame at the beginning of what was received, without its mask; it ends before byte `end`."""

    payload: bytes
    end: int


def text_frame(text: str) -> bytes:
    """A text as the frame of a server, which has no mask."""
    payload = text.encode()
    length = len(payload)
    if length < TWO_BYTES:
        return bytes((TEXT, length)) + payload
    if length <= 0xFFFF:
        return struct.pack("!BBH", TEXT, TWO_BYTES, length) + payload
    return struct.pack("!BBQ", TEXT, TWO_BYTES + 1, length) + payload


def first_frame(data: bytes) -> ReceivedFrame | None:
    """The first frame of what a client sent, if it is whole, a text, and as it must be; else None."""
    if len(data) < 2 + MASK_BYTES or data[0] != TEXT or data[1] < MASKED:
        return None
    start, length = 2, data[1] - MASKED
    if length == TWO_BYTES:
        start, length = 4, data[2] << 8 | data[3]
        if length < TWO_BYTES:  # a length must be as short as possible
            return None
    elif length > TWO_BYTES:
        return None
    start += MASK_BYTES
    end = start + length
    if len(data) < end:
        return None
    masked, mask = data[start:end], data[start - MASK_BYTES : start]
    key = (mask * (length // MASK_BYTES + 1))[:length]
    payload = (int.from_bytes(masked, "little") ^ int.from_bytes(key, "little")).to_bytes(length, "little")
    return ReceivedFrame(payload, end) if _is_utf8(payload) else None


def _is_utf8(payload: bytes) -> bool:
    try:
        payload.decode()
    except UnicodeDecodeError:
        return False
    return True


class WholeFrameProtocol(WebSocketProtocol):
    """daphne's protocol of a socket, which takes whole text frames as they are."""

    def _dataReceived(self, data: bytes) -> None:
        """What the client sent, as far as it has come."""
        while self._between_frames and (frame := first_frame(data)) is not None and self._allows(frame.payload):
            data = data[frame.end :]
            self.onMessage(frame.payload, False)
        if data:
            super()._dataReceived(data)

    def _allows(self, payload: bytes) -> bool:
        limits: tuple[int, int] = (self.maxFramePayloadSize, self.maxMessagePayloadSize)
        return all(not limit or len(payload) <= limit for limit in limits)

    @property
    def _between_frames(self) -> bool:
        """Whether a frame begins now, and nothing of autobahn's waits for it."""
        state: Any = self
        return bool(
            state.state == state.STATE_OPEN
            and not state.data
            and state.current_frame is None
            and not state.inside_message
            and state.autoPingTimeoutCall is None
        )
