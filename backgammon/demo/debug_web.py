"""The web process of `manage.py dev`: daphne with Django's autoreloader and debug pages, on a loopback socket.

    python -m backgammon.demo.debug_web FD

FD is a listening socket. DEBUG is set here and nowhere else; the process refuses a socket that other machines reach.
"""

from __future__ import annotations

import os
import socket
import sys

from daphne.server import Server
from django.conf import settings
from django.utils import autoreload

from backgammon.demo.listening_socket import is_loopback
from backgammon.demo.parent_watch import die_with_parent
from backgammon.demo.processes import CONNECT_TIMEOUT, MAX_FRAME

LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
RESTART = 3  # the exit status after which Django's reloader starts the server again


def main(fd: int) -> None:
    """Run the server, and start it again whenever a Python file changes. Exits with one line for another address."""
    with socket.socket(fileno=os.dup(fd)) as listening:
        host = listening.getsockname()[0]
    if not is_loopback(host):
        sys.exit(f"Debug pages are for this computer only, not for {host}.")
    if os.environ.get(autoreload.DJANGO_AUTORELOAD_ENV) == "true":
        die_with_parent(os.getppid())  # the supervisor knows only the parent, which watches no files
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backgammon.settings")
    settings.DEBUG = True
    settings.ALLOWED_HOSTS = LOOPBACK_HOSTS
    try:
        autoreload.run_with_reloader(serve, fd)
    except KeyError:  # a failed import removed a module while the reloader listed all of them
        sys.exit(RESTART)


def serve(fd: int) -> None:
    """Serve the site; runs in a thread beside the autoreloader, which keeps the signals."""
    from backgammon.asgi import application

    Server(
        application=application,
        endpoints=[f"fd:fileno={fd}"],
        signal_handlers=False,
        server_name="",
        verbosity=0,
        websocket_max_message_size=int(MAX_FRAME),
        websocket_max_frame_size=int(MAX_FRAME),
        websocket_connect_timeout=int(CONNECT_TIMEOUT),
    ).run()


if __name__ == "__main__":
    main(int(sys.argv[1]))
