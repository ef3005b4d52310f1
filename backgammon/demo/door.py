"""The address of the site: a listening socket taken before anything starts, so that nobody else can take it."""

from __future__ import annotations

import errno
import ipaddress
import socket
import urllib.error
import urllib.request

TRIES = 100
EVERYWHERE = ("0.0.0.0", "::")  # nosec B104  # noqa: S104  (compared, not bound)


def open_door(host: str, port: int) -> socket.socket:
    """A listening socket on `port` of `host`, or on the next free port. Raises OSError when there is none near.

    Port 0 is any free port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + TRIES, 65536)):
        door = socket.socket(family, socket.SOCK_STREAM)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((host, candidate))
            door.listen(512)
        except OSError as error:
            door.close()
            if error.errno != errno.EADDRINUSE:
                raise
            continue
        return door
    raise OSError(errno.EADDRINUSE, f"no free port from {port} to {port + TRIES - 1} on {host}")


def is_loopback(host: str) -> bool:
    """Whether only this machine can knock at `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address(door: socket.socket) -> str:
    """The URL to type into a browser on this machine."""
    host, port = door.getsockname()[:2]
    if host in EVERYWHERE or host == "127.0.0.1":
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object, **kwargs: object) -> None:
        """A redirect is an answer too; following it is the browser's business."""


_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _Stay)


def answers(url: str, *, timeout: float = 2.0) -> bool:
    """Whether the site itself (not only an open port) answers at `url`; server errors are not an answer."""
    try:
        with _opener.open(url, timeout=timeout):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False
