"""The addresses of this machine in its local network, and a QR code of a URL for phones."""

from __future__ import annotations

import io
import ipaddress
import re
import socket
from itertools import pairwise
from pathlib import Path

from backgammon.demo.listening_socket import ALL_INTERFACES, is_loopback

LOCAL_ROUTES = Path("/proc/net/fib_trie")
FAR = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # reserved for examples: no host has them
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def addresses(host: str) -> list[str]:
    """Return the addresses of this machine in its local network when it listens on `host`, the usual one first.

    Only private ones: an address that the internet could reach is never added automatically.
    """
    if is_loopback(host):
        return []
    if host not in ALL_INTERFACES:
        return [host]
    families = (socket.AF_INET6, socket.AF_INET) if host == "::" else (socket.AF_INET,)
    found = [address for family in families for address in _outgoing(family)]
    found += [*_listed_by_linux(), *_of_host_name()]
    return [address for address in dict.fromkeys(found) if _is_private(address, v6=host == "::")]


def hosts(host: str) -> list[str]:
    """Return the entries that ALLOWED_HOSTS needs for these addresses, with this machine's mDNS name."""
    found = [bracketed(address) for address in addresses(host)]
    if host in ALL_INTERFACES and found:
        name = socket.gethostname().split(".")[0].casefold()
        found += [f"{name}.local"] if NAME.fullmatch(name) else []
    return found


def bracketed(address: str) -> str:
    """Return an address as a URL has it, IPv6 in brackets."""
    return f"[{address}]" if ":" in address else address


def qr_code(text: str) -> list[str]:
    """Return the lines of a QR code in half blocks for a dark terminal; most cameras read it on a light one, too."""
    from qrcode import QRCode
    from qrcode.constants import ERROR_CORRECT_L

    code = QRCode(error_correction=ERROR_CORRECT_L, border=2)
    code.add_data(text)
    out = io.StringIO()
    code.print_ascii(out=out, invert=True)
    return [line for line in out.getvalue().replace("\xa0", " ").splitlines() if line]


def _outgoing(family: int) -> list[str]:
    """Return the address from which this machine would connect to another one. Nothing is sent."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((FAR[socket.AddressFamily(family)], 9))
            return [str(probe.getsockname()[0])]
    except OSError:
        return []


def _listed_by_linux() -> list[str]:
    """Return every IPv4 address of this machine, as Linux lists them."""
    try:
        lines = LOCAL_ROUTES.read_text().splitlines()
    except OSError:
        return []
    return [
        address.split("|-- ")[1].strip()
        for address, kind in pairwise(lines)
        if "|-- " in address and "/32 host LOCAL" in kind
    ]


def _of_host_name() -> list[str]:
    """Return the addresses that this machine's host name resolves to."""
    try:
        return [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    except OSError:
        return []


def _is_private(text: str, *, v6: bool) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    outside = address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast
    return address.is_private and not outside and (v6 or address.version == 4)
