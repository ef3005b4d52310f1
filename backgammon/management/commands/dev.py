"""`manage.py dev`: run the whole site for development, with autoreload and Django's debug pages."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from backgammon.demo import listening_socket, processes
from backgammon.demo.site_command import SiteCommand
from backgammon.demo.supervisor import ProcessSpec


class Command(SiteCommand):
    """Debug pages show the code, the settings and the database, so only this machine may reach the site.

    The web process serves static files from `static/` and restarts when a Python file changes; workers do not restart.
    """

    help = (
        "Run the site on this computer for development: SQLite, autoreload, debug pages, static files from static/. "
        "Only a loopback address is accepted."
    )

    def handle(self, *args: Any, host: str, **options: Any) -> None:
        if not listening_socket.is_loopback(host):
            raise CommandError(f"manage.py dev shows debug pages and listens on this computer only, not on {host}.")
        if settings.HTTPS or settings.TRUST_PROXY or "DATABASE_URL" in os.environ:
            raise CommandError("manage.py dev uses SQLite without a proxy: unset DATABASE_URL, HTTPS and TRUST_PROXY.")
        super().handle(*args, host=host, **options)

    def prepare_static_files(self) -> None:
        """Nothing to do: the web process reads static/ at each request."""

    def web_process(self, fd: int, *, env: dict[str, str]) -> ProcessSpec:
        return processes.debug_web_process(fd, env=env)
