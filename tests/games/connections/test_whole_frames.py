"""Whole text frames without autobahn: the same bytes and the same messages as with it, for whatever a client sends."""

from __future__ import annotations

import json
import random
import struct

import pytest
from autobahn.websocket.protocol import WebSocketProtocol as Autobahn
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet.testing import StringTransport

from games.connections.autobahn_settings import SharingFactory
from games.connections.whole_frames import first_frame, text_frame
from games.message_queue import Message, MessageQueue

MASK = b"\x01\x02\xfe\xff"
LIMIT = 300


def client_frame(payload: bytes, *, first: int = 0x81, mask: bytes = MASK) -> bytes:
    """A frame as a client sends it; `first` is its first byte."""
    length = len(payload)
    head = bytes((first, 0x80 | length)) if length < 126 else bytes((first, 0x80 | 126)) + struct.pack("!H", length)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


class Connection(StringTransport):
    """A connection to nobody that keeps what is written, and how it ended; as Twisted's it need have no producer."""

    def unregisterProducer(self) -> None:
        self.producer = None


class Socket:
    """One socket of a factory after its handshake: what the site gets of it, and what its client gets."""

    def __init__(self, factory_class: type[WebSocketFactory], most: int = LIMIT) -> None:
        factory = factory_class(None)
        factory.setProtocolOptions(maxFramePayloadSize=most, maxMessagePayloadSize=most)
        self.protocol: WebSocketProtocol = factory.buildProtocol(None)
        self.transport = Connection()
        self.protocol.makeConnection(self.transport)
        self.transport.clear()
        self.protocol.openHandshakeTimeoutCall.cancel()
        self.protocol.application_queue = self.queue = MessageQueue()
        self.protocol.client_addr, self.protocol.muted = None, False
        self.protocol.state = Autobahn.STATE_OPEN
        self.protocol._perMessageCompress = None
        self.protocol.websocket_version = 13
        self.protocol.current_frame, self.protocol.inside_message, self.protocol.data = None, False, b""

    def received(self) -> list[Message]:
        return [self.queue._newer.pop(0) for _ in range(len(self.queue))]


@pytest.fixture
def both() -> tuple[Socket, Socket]:
    """A socket of this site, and one of daphne's."""
    return Socket(SharingFactory), Socket(WebSocketFactory)


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536])
def test_a_text_becomes_the_frame_that_autobahn_makes_of_it(length: int) -> None:
    daphne_s = Socket(WebSocketFactory, most=1_000_000)
    daphne_s.protocol.sendMessage(b"x" * length)
    assert text_frame("x" * length) == daphne_s.transport.value()


def test_a_text_beyond_ascii_has_the_length_of_its_bytes() -> None:
    assert text_frame("ñ") == b"\x81\x02\xc3\xb1"


def test_a_whole_frame_is_read_and_what_follows_stays() -> None:
    text = json.dumps({"t": "act", "text": "24/18 ñ"}).encode()
    frame = first_frame(client_frame(text) + b"more")
    assert frame is not None
    assert (frame.payload, frame.end) == (text, len(client_frame(text)))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        client_frame(b"begun")[:-1],
        client_frame(b"x" * 200)[:5],
        client_frame(b"binary", first=0x82),
        client_frame(b"in pieces", first=0x01),
        client_frame(b"compressed", first=0xC1),
        client_frame(b"ping", first=0x89),
        client_frame(b"\xff\xfe"),
        b"\x81\x02no",  # without a mask
        b"\x81\xfe\x00\x05" + MASK + b"short",  # a length that is longer than it must be
    ],
)
def test_what_is_not_a_whole_text_frame_is_left_to_autobahn(data: bytes) -> None:
    assert first_frame(data) is None


def test_frames_in_any_pieces_give_the_messages_that_autobahn_makes_of_them(both: tuple[Socket, Socket]) -> None:
    choose = random.Random(1)
    texts = ["", "a", "ñ" * 60, "x" * 125, "y" * 126, "z" * LIMIT]
    for _ in range(300):
        sent = b""
        for _ in range(choose.randint(1, 4)):
            kind = choose.choice(["text", "text", "text", "pieces", "ping", "binary"])
            text = choose.choice(texts).encode()
            if kind == "pieces":
                sent += client_frame(b"be", first=0x01) + client_frame(b"gun", first=0x80)
            else:
                first = {"text": 0x81, "ping": 0x89, "binary": 0x82}[kind]
                sent += client_frame(text[:100] if kind == "ping" else text, first=first)
        cuts = sorted(choose.randint(0, len(sent)) for _ in range(choose.randint(0, 3)))
        for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True):
            for socket in both:
                socket.protocol.dataReceived(sent[start:end])
        ours, daphne_s = both
        assert ours.received() == daphne_s.received()
        assert ours.transport.value() == daphne_s.transport.value()  # the answers to pings


@pytest.mark.parametrize(
    "wrong",
    [client_frame(b"x" * (LIMIT + 1)), client_frame(b"\xff\xfe"), b"\x81\x02no", client_frame(b"a", first=0xC1)],
)
def test_a_wrong_frame_closes_the_socket_as_autobahn_does(both: tuple[Socket, Socket], wrong: bytes) -> None:
    for socket in both:
        socket.protocol.dataReceived(client_frame(b"good") + wrong + client_frame(b"late"))
    ours, daphne_s = both
    assert [each["text"] for each in ours.received()] == [each["text"] for each in daphne_s.received()] == ["good"]
    assert ours.transport.value() == daphne_s.transport.value()
    assert ours.protocol.state == daphne_s.protocol.state != Autobahn.STATE_OPEN
