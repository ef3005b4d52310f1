"""Limits of the connections of a web process: none may wait for ever, and no address may take them all.

daphne accepts every connection and lets it wait a minute for each line of a request, so that a thousand idle ones use
up the descriptors of the process, and no page is served any more. Here a connection whose headers are not complete
within `HEADER_SECONDS` is cut. An address has at most `CONNECTIONS_PER_ADDRESS` (except behind a trusted proxy, where
all have the proxy's address), and all together leave the process descriptors for its files. Beyond that the oldest
connection that waits for a request is cut in favour of the new one, so that those who play and read are undisturbed;
if none waits, the new one is refused.

daphne has no setting for any of this: its factory of connections is replaced (tests/live/test_tcp_limits.py).
"""

from __future__ import annotations

import logging
import resource
import sys
import time
from typing import Any

from django.conf import settings
from twisted.internet.error import ConnectionAborted
from twisted.internet.protocol import connectionDone
from twisted.protocols.policies import ProtocolWrapper, WrappingFactory
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel

log = logging.getLogger(__name__)

HEADER_SECONDS = 10.0  # from the connection, or the first byte of a later request, to the end of its headers
OWN_DESCRIPTORS = 200  # for the database, the broker and files; of a small limit, half
LOG_INTERVAL = 60.0  # seconds between two lines about full limits


class TimedChannel(HTTPChannel):
    """An HTTP connection that knows whether it waits for a request, and does not wait long for a begun one."""

    waits = True
    _cut_call: Any = None

    def connectionMade(self) -> None:
        super().connectionMade()
        self._expect_headers()

    def dataReceived(self, data: bytes) -> None:
        if self.waits and self._cut_call is None:
            self._expect_headers()
        super().dataReceived(data)

    def allHeadersReceived(self) -> None:
        self.waits = False
        self._cancel()
        super().allHeadersReceived()

    def requestDone(self, request: Any) -> None:
        self.waits = True
        super().requestDone(request)

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self._cancel()
        super().connectionLost(reason)

    def _expect_headers(self) -> None:
        self._cut_call = self.callLater(HEADER_SECONDS, self.forceAbortClient)

    def _cancel(self) -> None:
        if self._cut_call is not None and self._cut_call.active():
            self._cut_call.cancel()
        self._cut_call = None


class Connection(ProtocolWrapper):
    """A connection from its acceptance to its end, also when a socket has taken it over."""

    @property
    def address(self) -> str:
        """The other end's IP address; empty for a Unix socket."""
        return getattr(self.getPeer(), "host", None) or ""

    @property
    def waits(self) -> bool:
        """Whether no request is being received or answered."""
        return isinstance(self.wrappedProtocol, TimedChannel) and self.wrappedProtocol.waits

    def cut(self) -> None:
        """Close at once. Twisted would close in its next turn, after accepting a hundred more."""
        self.abortConnection()
        transport: Any = self.transport
        transport.connectionLost(Failure(ConnectionAborted()))


class LimitingFactory(WrappingFactory):
    """Around daphne's factory: counts the connections by address, the oldest first."""

    protocol = Connection

    def __init__(self, factory: Any, *, per_address: int, total: int) -> None:
        factory.protocol = TimedChannel
        super().__init__(factory)
        self.per_address = per_address  # 0: no limit
        self.total = total
        self.count = 0
        self.by_address: dict[str, dict[Connection, None]] = {}
        self._logged_at = -LOG_INTERVAL

    def buildProtocol(self, addr: Any) -> Any:
        """Return the new connection, or None to refuse it."""
        mine = self.by_address.get(getattr(addr, "host", None) or "", {})
        if self.per_address and len(mine) >= self.per_address and not self._cut_oldest(mine):
            return None
        if self.count >= self.total and not self._cut_oldest(max(self.by_address.values(), key=len)):
            return None
        return super().buildProtocol(addr)

    def _cut_oldest(self, connections: dict[Connection, None]) -> bool:
        """Cut the oldest of these that waits for a request; False if none does."""
        self._warn()
        oldest = next((connection for connection in connections if connection.waits), None)
        if oldest is None:
            return False
        oldest.cut()
        return True

    def _warn(self) -> None:
        if time.monotonic() - self._logged_at >= LOG_INTERVAL:
            self._logged_at = time.monotonic()
            log.warning(
                "too many connections: %d in all, at most %d of one address (CONNECTIONS_PER_ADDRESS) and %d in all",
                *(self.count, self.per_address, self.total),
            )

    def registerProtocol(self, p: Connection) -> None:
        super().registerProtocol(p)
        self.by_address.setdefault(p.address, {})[p] = None
        self.count += 1

    def unregisterProtocol(self, p: Connection) -> None:
        super().unregisterProtocol(p)
        mine = self.by_address[p.address]
        del mine[p]
        self.count -= 1
        if not mine:
            del self.by_address[p.address]


def most_connections() -> int:
    """Return how many connections fit into the process's limit of descriptors beside its own files."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else max(soft - OWN_DESCRIPTORS, soft // 2)


def install() -> None:
    """Limit the connections of a daphne that is about to start. Without a daphne it does nothing."""
    daphne: Any = sys.modules.get("daphne.server")
    if daphne is None or hasattr(daphne.HTTPFactory, "unlimited"):
        return
    unlimited = daphne.HTTPFactory

    def limited(server: Any) -> LimitingFactory:
        per_address = 0 if settings.TRUST_PROXY else settings.CONNECTIONS_PER_ADDRESS
        return LimitingFactory(unlimited(server), per_address=per_address, total=most_connections())

    limited.unlimited = unlimited  # type: ignore[attr-defined]  # installed once
    daphne.HTTPFactory = limited
