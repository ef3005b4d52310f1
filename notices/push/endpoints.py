"""Where a browser wants its messages sent: an address that a stranger gave us, and so one to be careful with.

A subscription names a server that *we* shall call. It must not be one of our own house: only https, only a name of the
public network on its usual port, and when it is called only public addresses behind that name (docs/adr/0018).
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

LONGEST = 2000  # characters
HTTPS = 443
NAME = re.compile(
    r"(?=.{1,253}\Z)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII
)
HOUSE = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
"""Ends of names that mean something at home only."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})

_UNICAST = ipaddress.ip_network("2000::/3")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class BadEndpoint(ValueError):
    """No address of a push service. The message says why, for logs and tests."""


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
