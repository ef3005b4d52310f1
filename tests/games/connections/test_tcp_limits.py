"""The limits of connections, with a clock that is stepped by hand."""

from __future__ import annotations

from typing import Any

import pytest
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.web.http import HTTPFactory, Request

from games.connections.tcp_limits import HEADER_SECONDS, LimitingFactory

HALF = b"GET / HTTP/1.1\r\nHost: club.example\r\n"


class Answered(Request):
    """A request that is answered at once; `/slow` later."""

    open: list[Request] = []

    def process(self) -> None:
        if self.path == b"/slow":
            self.open.append(self)
        else:
            self.finish()


class Transport(StringTransport):
    """Tells the protocol when it has lost the connection, as a real one does."""

    def connectionLost(self, reason: Any) -> None:
        self.protocol.connectionLost(reason)


class Site:
    """A server with limits, and a clock of its own."""

    def __init__(self, *, per_address: int = 0, total: int = 100) -> None:
        self.clock = Clock()
        factory = HTTPFactory(reactor=self.clock)
        self.limits = LimitingFactory(factory, per_address=per_address, total=total)

    def connect(self, address: str = "192.0.2.1", sent: bytes = b"") -> Any:
        """A transport that is connected, with `sent` received; None if the connection is refused."""
        peer = IPv4Address("TCP", address, 40_000)
        protocol = self.limits.buildProtocol(peer)
        if protocol is None:
            return None
        protocol.wrappedProtocol.requestFactory = Answered
        transport: Any = Transport(peerAddress=peer)
        transport.protocol = protocol
        protocol.makeConnection(transport)
        self.send(transport, sent)
        return transport

    @staticmethod
    def send(transport: Any, data: bytes) -> None:
        transport.protocol.dataReceived(data)


def test_headers_have_ten_seconds_however_slowly_they_come() -> None:
    site = Site()
    silent, slow = site.connect(), site.connect(sent=HALF)
    for _ in range(9):
        site.clock.advance(1)
        site.send(slow, b"X-A: b\r\n")
    assert not silent.disconnected
    assert not slow.disconnected
    site.clock.advance(HEADER_SECONDS - 9)
    assert silent.disconnected
    assert slow.disconnected


def test_a_connection_that_has_been_answered_may_wait_longer_for_its_next_request() -> None:
    site = Site()
    client = site.connect(sent=HALF + b"\r\n")
    assert client.value().startswith(b"HTTP/1.1 200")
    site.clock.advance(30)
    assert not client.disconnecting
    site.send(client, b"G")
    site.clock.advance(HEADER_SECONDS - 1)
    assert not client.disconnected
    site.clock.advance(1)
    assert client.disconnected


def test_a_slow_answer_is_not_cut() -> None:
    site = Site()
    client = site.connect(sent=b"GET /slow HTTP/1.1\r\n\r\n")
    site.clock.advance(100)
    assert not client.disconnected
    Answered.open.pop().finish()
    assert client.value().startswith(b"HTTP/1.1 200")


def test_an_address_at_its_limit_loses_its_oldest_waiting_connection_to_the_new_one() -> None:
    site = Site(per_address=2)
    first, second, other = site.connect(), site.connect(), site.connect("192.0.2.2")
    third = site.connect()
    assert [client.disconnected for client in (first, second, third, other)] == [True, False, False, False]


def test_an_address_that_uses_all_its_connections_gets_no_more() -> None:
    site = Site(per_address=2)
    clients = [site.connect(sent=b"GET /slow HTTP/1.1\r\n\r\n") for _ in range(2)]
    assert site.connect() is None
    assert site.connect("192.0.2.2") is not None
    Answered.open.pop().finish()
    Answered.open.pop().finish()
    assert site.connect() is not None
    assert [client.disconnected for client in clients] == [True, False]


def test_at_the_limit_of_all_the_address_with_the_most_connections_makes_room() -> None:
    site = Site(total=3)
    alone, first, second = site.connect("192.0.2.2"), site.connect(), site.connect()
    assert site.connect("192.0.2.3") is not None
    assert [client.disconnected for client in (alone, first, second)] == [False, True, False]


@pytest.mark.parametrize("count", [1, 3])
def test_connections_that_have_gone_count_no_more(count: int) -> None:
    site = Site(per_address=3)
    for client in [site.connect() for _ in range(count)]:
        client.protocol.connectionLost(None)
    assert (site.limits.count, site.limits.by_address) == (0, {})
