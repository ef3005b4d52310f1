"""The listening socket of the site, opened before the web process starts so that no other program takes the port."""

from __future__ import annotations

import errno
import ipaddress
import socket
import urllib.error
import urllib.request

TRIES = 100
ALL_INTERFACES = ("0.0.0.0", "::")  # nosec B104  # noqa: S104  (compared, not bound)


def open_socket(host: str, port: int) -> socket.socket:
    """Listen on `port` of `host`, or on the next free port. Raises OSError if no port nearby is free.

    Port 0 is any free port.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(port, min(port + TRIES, 65536)):
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
            listening.listen(512)
        except OSError as error:
            listening.close()
            if error.errno != errno.EADDRINUSE:
                raise
            continue
        return listening
    raise OSError(errno.EADDRINUSE, f"no free port from {port} to {port + TRIES - 1} on {host}")


def is_loopback(host: str) -> bool:
    """Whether only this machine can connect to `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def url_of(listening: socket.socket) -> str:
    """Return the URL of the site for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if host in ALL_INTERFACES or host == "127.0.0.1":
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object, **kwargs: object) -> None:
        """Follow no redirect: it is a response, too."""


_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect)


def responds(url: str, *, timeout: float = 2.0) -> bool:
    """Whether the site responds at `url` without a server error."""
    try:
        with _opener.open(url, timeout=timeout):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False
