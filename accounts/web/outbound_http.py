"""HTTP requests to URLs that users gave us: push services of browsers, and webhooks of members.

Such a URL must not lead into our own network: only https, only a host name of the public network on the standard port,
and only public IP addresses behind that name (docs/adr/0018).

The standard library's HTTP clients resolve a name by themselves, follow redirects or wait as long as a slow server
likes. Here the IP address that was checked is the one that is called, no redirect is followed, and the whole call, the
resolving included, has one deadline. Nothing else on this site calls URLs that a user entered.
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
from typing import Any
from urllib.parse import urlsplit

MAX_URL_LENGTH = 2000  # characters of a URL
HTTPS = 443
HOSTNAME = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII
)
LOCAL_SUFFIXES = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
"""Suffixes of names in local networks."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})

TIMEOUT = 5.0
MAX_CONCURRENT = 32
MAX_HEAD_BYTES = 16 * 1024  # bytes of a response that are read: its body is not
STATUS_LINE = re.compile(rb"HTTP/1\.\d ([1-5]\d\d)\b")

Resolve = Callable[[str, int], Sequence[str]]

_UNICAST = ipaddress.ip_network("2000::/3")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class BadEndpoint(ValueError):
    """A URL that we do not call. The message says why, for logs and tests."""


@dataclass(frozen=True)
class Endpoint:
    """A parsed URL. `target` is the request target: the path with its query."""

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
    """Parse a URL. Raises BadEndpoint unless it is https with a public name on the standard port.

    With `loopback` plain http to this machine is accepted too, for tests.
    """
    if not 0 < len(url) <= MAX_URL_LENGTH:
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
    if not HOSTNAME.fullmatch(host) or host.endswith(LOCAL_SUFFIXES):
        raise BadEndpoint("name")
    return Endpoint(True, host, HTTPS, target)


def is_public(address: str) -> bool:
    """Whether an IP address is a public unicast address.

    IPv6 addresses that wrap an IPv4 address are judged by the latter, or rejected.
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
    """One POST request to one endpoint."""

    endpoint: Endpoint
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    """The status of a response, or 0 and why there is none."""

    status: int
    retry_after: str | None = None
    why: str = ""


def resolve_addresses(host: str, port: int) -> list[str]:
    """Resolve a host name by the system's resolver. Raises OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def send_all(
    calls: Sequence[Call],
    *,
    loopback: bool = False,
    seconds: float = TIMEOUT,
    resolve: Resolve = resolve_addresses,
    context: ssl.SSLContext | None = None,
) -> list[Answer]:
    """Send the calls, `MAX_CONCURRENT` at a time, and return their answers in the same order. Errors become answers.

    With `loopback` calls without TLS may go to this machine. No event loop may run in the caller's thread.
    """
    return asyncio.run(_send_all(calls, loopback, seconds, resolve, context or _tls_context()))


async def _send_all(
    calls: Sequence[Call], loopback: bool, seconds: float, resolve: Resolve, context: ssl.SSLContext
) -> list[Answer]:
    semaphore = asyncio.Semaphore(MAX_CONCURRENT)

    async def send(call: Call) -> Answer:
        async with semaphore:
            try:
                async with asyncio.timeout(seconds):
                    return await _send(call, loopback, resolve, context)
            except TimeoutError:
                return Answer(0, why="timeout")
            except (OSError, ValueError, http.client.HTTPException, asyncio.IncompleteReadError) as error:
                return Answer(0, why=type(error).__name__)
            except asyncio.LimitOverrunError:
                return Answer(0, why="too long")

    return await asyncio.gather(*(send(call) for call in calls))


async def _send(call: Call, loopback: bool, resolve: Resolve, context: ssl.SSLContext) -> Answer:
    endpoint = call.endpoint
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_resolver_pool(), resolve, endpoint.host, endpoint.port)
    if not (loopback and not endpoint.secure) and not all(is_public(address) for address in found):
        return Answer(0, why="not public")
    reader, writer = await _connect(found, endpoint, context)
    try:
        writer.write(_request_bytes(call))
        await writer.drain()
        return await _read_answer(reader)
    finally:
        writer.close()


async def _connect(
    addresses: Sequence[str], endpoint: Endpoint, context: ssl.SSLContext
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the first of the checked addresses that answers; the certificate must be that of the host name."""
    tls: dict[str, Any] = {"ssl": context, "server_hostname": endpoint.host} if endpoint.secure else {}
    last_error = OSError("no address")
    for address in addresses:
        try:
            return await asyncio.open_connection(address, endpoint.port, limit=MAX_HEAD_BYTES, **tls)
        except OSError as error:
            last_error = error
    raise last_error


def _request_bytes(call: Call) -> bytes:
    endpoint = call.endpoint
    host = endpoint.origin.partition("://")[2]
    own = {"Host": host, "Content-Length": str(len(call.body)), "Connection": "close"}
    lines = [
        f"POST {endpoint.target} HTTP/1.1",
        *(f"{name}: {value}" for name, value in {**call.headers, **own}.items()),
    ]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + call.body


async def _read_answer(reader: asyncio.StreamReader) -> Answer:
    """Read the head of the response; interim ones (1xx) are skipped."""
    while True:
        head = io.BytesIO(await reader.readuntil(b"\r\n\r\n"))
        found = STATUS_LINE.match(head.readline())
        if found is None:
            raise http.client.BadStatusLine("no HTTP")
        if (status := int(found[1])) >= 200:
            return Answer(status, http.client.parse_headers(head).get("Retry-After"))


@cache
def _tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


@cache
def _resolver_pool() -> ThreadPoolExecutor:
    """A separate thread pool: a resolver that hangs must not delay the end of a round of calls."""
    return ThreadPoolExecutor(8, thread_name_prefix="outbound-names")
