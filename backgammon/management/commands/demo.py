"""`manage.py demo`: the whole club on this machine, with nothing to install and nothing to configure."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from backgammon.demo import broker, door, lan, parts, prepare
from backgammon.demo.supervisor import ChildDied, Stopped, Supervisor
from backgammon.ops import owner, tongue

PATIENCE = 300.0  # seconds for the web process of a small machine that is busy; if it dies, that is told at once


class Command(BaseCommand):
    """Runs until INT, TERM or HUP. Exit 0 when asked to stop, 1 when something went wrong by itself."""

    help = "Run the whole club on this machine: web server, workers, time control, broker; data lives in var/."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port, or the next free one (default 8000)")
        parser.add_argument("--with-parent", action="store_true", help="stop when the calling process stops")
        parser.add_argument("--without-accounts", action="store_true", help="make no demo accounts")

    def handle(
        self, *args: Any, host: str, port: int, with_parent: bool, without_accounts: bool, **options: Any
    ) -> None:
        os.umask(0o077)
        tongue.speak()
        try:
            run = prepare.make_folders(settings.VAR_DIR)
            with prepare.held(run), Supervisor(parent=os.getppid() if with_parent else None) as children:
                self.run_club(children, run, host, port, wanted=not without_accounts)
        except Stopped:
            children.say(_("Stopped."))
        except (ChildDied, TimeoutError, OSError, broker.NoBroker, prepare.AlreadyRunning) as error:
            raise CommandError(str(error)) from error

    def run_club(self, children: Supervisor, run: Path, host: str, port: int, *, wanted: bool) -> None:
        """Prepare, start everything, print the address once the site answers, and stay."""
        found = broker.find(os.environ, run)
        env = {"REDIS_URL": found.url}
        if found.socket_path:
            broker.clear(found.socket_path)
        if part := parts.broker_part(found):
            children.start(part)
        step(children, "tables", prepare.migrate)
        accounts = prepare.seed(accounts=wanted and is_private(host))
        children.wait_for(lambda: broker.is_up(found), what=f"The broker ({found.name})", timeout=15)
        for part in parts.worker_parts(env=env):
            children.start(part)
        step(children, "static files", lambda: prepare.collect_static(settings.VAR_DIR))
        with door.open_door(host, port) as listening:
            url, number = door.address(listening), listening.getsockname()[1]
            outside = [f"http://{name}:{number}" for name in lan.hosts(host)]
            children.start(parts.web_part(listening.fileno(), env={**env, **opened(host, outside)}))
        live = f"{url}/health/live"  # not a page: those of a busy machine would still be made when we have asked again
        children.wait_for(lambda: door.answers(live), what="The web server", timeout=PATIENCE, every=0.2)

        for name, password in accounts:
            children.say(_("Demo account: %(name)s  password: %(password)s") % {"name": name, "password": password})
        children.say(_("Tablero is open at %s") % url)
        invite(children, url, outside)
        children.say(_("Stop it with Ctrl-C; the data stays in %s") % settings.VAR_DIR)
        children.watch()


def opened(host: str, outside: list[str]) -> dict[str, str]:
    """The settings with which the site answers on this machine's own addresses in its network, and on no others.

    What the admin has said himself stands.
    """
    if not outside:
        return {}
    usual = {
        "ALLOWED_HOSTS": ",".join([*settings.ALLOWED_HOSTS, *lan.hosts(host)]),
        "CSRF_TRUSTED_ORIGINS": ",".join([*settings.CSRF_TRUSTED_ORIGINS, *outside]),
        "SITE_URL": outside[0],
    }
    if os.environ.get("ALLOWED_HOSTS"):
        return {}
    return {name: value for name, value in usual.items() if not os.environ.get(name)}


def invite(children: Supervisor, url: str, outside: list[str]) -> None:
    """Say where the phones of a club night find the site, and how its first owner begins, if it has none."""
    if outside:
        children.say(_("On this network:"))
        for address in outside:
            children.say(f"  {address}")
        for line in lan.qr(outside[0]):
            children.say(f"  {line}")
    if owner.is_needed():
        children.say(_("Nobody looks after this site yet. Who opens this link first does (once, within a day):"))
        children.say(f"  {outside[0] if outside else url}{owner.link_new()}")


def is_private(host: str) -> bool:
    """Whether only people at this machine can reach the site, as far as we can know."""
    return door.is_loopback(host) and not (settings.HTTPS or settings.TRUST_PROXY)


def step(children: Supervisor, what: str, work: Callable[[], object]) -> None:
    """Do one preparing step between two looks around; say so when it took long."""
    children.look()
    begin = time.monotonic()
    work()
    if (took := time.monotonic() - begin) > 1:
        children.say(f"Prepared {what} in {took:.1f} s")
