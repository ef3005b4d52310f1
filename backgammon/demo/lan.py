"""Under which addresses the devices of a local network reach this machine, and a QR code of one for their cameras."""

from __future__ import annotations

import io
import ipaddress
import re
import socket
from itertools import pairwise
from pathlib import Path

from backgammon.demo.door import EVERYWHERE, is_loopback

LOCAL_ROUTES = Path("/proc/net/fib_trie")
FAR = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # kept for examples: nobody is there
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def addresses(host: str) -> list[str]:
    """The addresses of this machine in its local network when it listens on `host`, the usual one first.

    Only private ones: what the internet could reach is never opened by itself.
    """
    if is_loopback(host):
        return []
    if host not in EVERYWHERE:
        return [host]
    families = (socket.AF_INET6, socket.AF_INET) if host == "::" else (socket.AF_INET,)
    found = [address for family in families for address in _towards(family)]
    found += [*_routed(), *_named()]
    return [each for each in dict.fromkeys(found) if _is_of_lan(each, v6=host == "::")]


def hosts(host: str) -> list[str]:
    """What ALLOWED_HOSTS needs so that these addresses are answered: they, and the name that mDNS knows."""
    found = [bracketed(address) for address in addresses(host)]
    if host in EVERYWHERE and found:
        name = socket.gethostname().split(".")[0].casefold()
        found += [f"{name}.local"] if NAME.fullmatch(name) else []
    return found


def bracketed(address: str) -> str:
    """An address as it stands in a URL."""
    return f"[{address}]" if ":" in address else address


def qr(text: str) -> list[str]:
    """The lines of a QR code in half blocks, for a dark terminal; on a light one most cameras read it, too."""
    from qrcode import QRCode
    from qrcode.constants import ERROR_CORRECT_L

    code = QRCode(error_correction=ERROR_CORRECT_L, border=2)
    code.add_data(text)
    out = io.StringIO()
    code.print_ascii(out=out, invert=True)
    return [line for line in out.getvalue().replace("\xa0", " ").splitlines() if line]


def _towards(family: int) -> list[str]:
    """The address from which this machine would speak to another one. Nothing is sent."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as line:
            line.connect((FAR[socket.AddressFamily(family)], 9))
            return [str(line.getsockname()[0])]
    except OSError:
        return []


def _routed() -> list[str]:
    """Every IPv4 address of this machine, as Linux lists them."""
    try:
        lines = LOCAL_ROUTES.read_text().splitlines()
    except OSError:
        return []
    return [one.split("|-- ")[1].strip() for one, two in pairwise(lines) if "|-- " in one and "/32 host LOCAL" in two]


def _named() -> list[str]:
    """The addresses that this machine's own name stands for."""
    try:
        return [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    except OSError:
        return []


def _is_of_lan(text: str, *, v6: bool) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    outside = address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast
    return address.is_private and not outside and (v6 or address.version == 4)
