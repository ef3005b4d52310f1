"""Calls to addresses that strangers gave us: push services of browsers, and the programs of members.

Such an address names a server that *we* shall call. It must not be one of our own house: only https, only a name of the
public network on its usual port, and when it is called only public addresses behind that name (docs/adr/0018).

The standard library's HTTP clients resolve a name by themselves, follow redirects or wait as long as a slow server
likes. Here the address that was checked is the one that is called, nothing is followed, and the whole call, the
resolving included, has one deadline. Nothing else on this site calls addresses that somebody typed in.
"""

from __future__ import annotations

import asyncio
import http.client
import io
import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

LONGEST = 2000  # characters of an address
HTTPS = 443
NAME = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII
)
HOUSE = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
"""Ends of names that mean something at home only."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})

SECONDS = 5.0
AT_ONCE = 32
LONGEST_HEAD = 16 * 1024  # bytes of an answer that are read: its body is nobody's business
STATUS = re.compile(rb"HTTP/1\.\d ([1-5]\d\d)\b")

Resolve = Callable[[str, int], Sequence[str]]

_UNICAST = ipaddress.ip_network("2000::/3")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class BadEndpoint(ValueError):
    """No address that we call. The message says why, for logs and tests."""


@dataclass(frozen=True)
class Endpoint:
    """An address in its parts. `target` is what stands in the request: the path with its query."""

    secure: bool
    host: str
    port: int
    target: str

    @property
    def origin(self) -> str:
        """Scheme, host and port, as in the signature."""
        scheme, usual = ("https", HTTPS) if self.secure else ("http", 80)
        return f"{scheme}://{self.authority}" if self.port == usual else f"{scheme}://{self.authority}:{self.port}"

    @property
    def authority(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def parse(url: str, *, loopback: bool = False) -> Endpoint:
    """An address in its parts. Raises BadEndpoint unless it is https with a public name on the usual port.

    With `loopback` plain http to this machine is let in too, for tests.
    """
    if not 0 < len(url) <= LONGEST:
        raise BadEndpoint("length")
    if not all("!" <= letter <= "~" for letter in url) or "\\" in url:
        raise BadEndpoint("letters")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError as error:
        raise BadEndpoint("form") from error
    if "@" in parts.netloc or parts.fragment:
        raise BadEndpoint("form")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if loopback and parts.scheme == "http" and host in LOOPBACK:
        return Endpoint(False, host, port or 80, target)
    if parts.scheme != "https":
        raise BadEndpoint("scheme")
    if port not in (None, HTTPS):
        raise BadEndpoint("port")
    if not NAME.fullmatch(host) or host.endswith(HOUSE):
        raise BadEndpoint("name")
    return Endpoint(True, host, HTTPS, target)


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public network, and to one machine in it.

    Addresses of IPv6 that only wrap one of IPv4 are judged by what is inside, or turned away.
    """
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF)))
        if ip not in _UNICAST or ip.sixtofour or ip.teredo:
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


@dataclass(frozen=True)
class Call:
    """One message for one address; always a POST."""

    endpoint: Endpoint
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """The status of a server, or 0 and why there is none."""

    status: int
    retry_after: str | None = None
    why: str = ""


def addresses(host: str, port: int) -> list[str]:
    """What the system's resolver knows of a name. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def send_all(
    calls: Sequence[Call],
    *,
    loopback: bool = False,
    seconds: float = SECONDS,
    resolve: Resolve = addresses,
    context: ssl.SSLContext | None = None,
) -> list[Answer]:
    """Send the calls, `AT_ONCE` at a time, and return their answers in the same order. Never raises for a server.

    With `loopback` calls without TLS may go to this machine. No event loop may run in the caller's thread.
    """
    return asyncio.run(_all(calls, loopback, seconds, resolve, context or _context()))


async def _all(
    calls: Sequence[Call], loopback: bool, seconds: float, resolve: Resolve, context: ssl.SSLContext
) -> list[Answer]:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(call: Call) -> Answer:
        async with gate:
            try:
                async with asyncio.timeout(seconds):
                    return await _send(call, loopback, resolve, context)
            except TimeoutError:
                return Answer(0, why="timeout")
            except (OSError, ValueError, http.client.HTTPException, asyncio.IncompleteReadError) as error:
                return Answer(0, why=type(error).__name__)
            except asyncio.LimitOverrunError:
                return Answer(0, why="too long")

    return await asyncio.gather(*(one(call) for call in calls))


async def _send(call: Call, loopback: bool, resolve: Resolve, context: ssl.SSLContext) -> Answer:
    to = call.endpoint
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_resolvers(), resolve, to.host, to.port)
    if not (loopback and not to.secure) and not all(is_public(each) for each in found):
        return Answer(0, why="not public")
    reader, writer = await _connected(found, to, context)
    try:
        writer.write(_request(call))
        await writer.drain()
        return await _answer(reader)
    finally:
        writer.close()


async def _connected(
    found: Sequence[str], to: Endpoint, context: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first of the checked addresses that answers; the certificate must be that of the name."""
    tls: dict[str, object] = {"ssl": context, "server_hostname": to.host} if to.secure else {}
    failed: OSError = OSError("no address")
    for address in found:
        try:
            return await asyncio.open_connection(address, to.port, limit=LONGEST_HEAD, **tls)  # type: ignore[arg-type]
        except OSError as error:
            failed = error
    raise failed


def _request(call: Call) -> bytes:
    to = call.endpoint
    host = to.origin.partition("://")[2]
    own = {"Host": host, "Content-Length": str(len(call.body)), "Connection": "close"}
    lines = [f"POST {to.target} HTTP/1.1", *(f"{name}: {value}" for name, value in {**call.headers, **own}.items())]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + call.body


async def _answer(reader: asyncio.StreamReader) -> Answer:
    """The head of the answer; interim ones (1xx) are passed over."""
    while True:
        head = io.BytesIO(await reader.readuntil(b"\r\n\r\n"))
        found = STATUS.match(head.readline())
        if found is None:
            raise http.client.BadStatusLine("no HTTP")
        if (status := int(found[1])) >= 200:
            return Answer(status, http.client.parse_headers(head).get("Retry-After"))


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


@cache
def _resolvers() -> ThreadPoolExecutor:
    """Threads of their own: a resolver that hangs must not hold up the end of a round of calls."""
    return ThreadPoolExecutor(8, thread_name_prefix="outbound-names")
