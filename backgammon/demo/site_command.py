"""The base of `manage.py demo` and `manage.py dev`: prepare a site and run all its processes on this machine."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.utils.translation import gettext as _

from backgammon import descriptors, site_files
from backgammon.demo import broker, handover, lan_addresses, listening_socket, prepare, processes
from backgammon.demo.supervisor import ChildDied, ProcessSpec, Stopped, Supervisor
from backgammon.ops import first_owner, locale

WEB_TIMEOUT = 300.0  # seconds for the web process of a small, busy machine; if it dies, that is reported at once


class SiteCommand(BaseCommand):
    """Run until INT, TERM or HUP. Exit status 0 after a signal, 1 after an error."""

    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port, or the next free one (default 8000)")
        parser.add_argument("--with-parent", action="store_true", help="stop when the calling process stops")
        parser.add_argument("--without-accounts", action="store_true", help="do not create demo accounts")

    def handle(
        self, *args: Any, host: str, port: int, with_parent: bool, without_accounts: bool, **options: Any
    ) -> None:
        os.umask(0o077)
        descriptors.raise_limit()  # for the children
        locale.activate()
        try:
            run = prepare.make_folders(settings.VAR_DIR)
            parent = os.getppid() if with_parent else None
            with prepare.exclusive_lock(run) as lock, Supervisor(parent=parent, folder=site_files.CODE) as children:
                self.run_site(children, run, lock, host, port, with_accounts=not without_accounts)
        except Stopped:
            children.print_line(_("Stopped."))
        except (ChildDied, TimeoutError, OSError, broker.NoBroker, prepare.AlreadyRunning) as error:
            raise CommandError(str(error)) from error

    def run_site(
        self, children: Supervisor, run: Path, lock: int, host: str, port: int, *, with_accounts: bool
    ) -> None:
        """Prepare, start everything, print the URL once the site responds, and wait until it is stopped."""
        found = broker.find(os.environ, run)
        if found.socket_path:
            broker.remove_stale_socket(found.socket_path)
        with ExitStack() as until_stopped:
            # Open to the end: the web process may start again.
            listening = until_stopped.enter_context(listening_socket.open_socket(host, port))
            url, number = listening_socket.url_of(listening), listening.getsockname()[1]
            outside = [f"http://{name}:{number}" for name in lan_addresses.hosts(host)]
            env = {"REDIS_URL": found.url, **absolute_paths(), **lan_settings(host, outside)}
            if spec := processes.broker_process(found):
                children.start(spec)
            with children.forking(env):
                run_step(children, "tables", prepare.migrate)
                accounts = prepare.seed(accounts=with_accounts and is_private(host))
                children.wait_for(lambda: broker.is_up(found), name=f"The broker ({found.name})", timeout=15)
                for spec in processes.worker_processes(env=env, idle_analysis=settings.IDLE_ANALYSIS):
                    children.start(spec)
                run_step(children, "static files", self.prepare_static_files)
                children.start(self.web_process(listening.fileno(), env=env))
            live = f"{url}/health/live"  # not a page: a busy machine would still render it when we ask again
            children.wait_for(
                lambda: listening_socket.responds(live), name="The web server", timeout=WEB_TIMEOUT, interval=0.2
            )
            print_welcome(children, url, outside, accounts)
            connections.close_all()
            handover.watch(children, stopped=_("Stopped."), keep=[lock])

    def prepare_static_files(self) -> None:
        """Make the static files available to the web process."""
        raise NotImplementedError

    def web_process(self, fd: int, *, env: dict[str, str]) -> ProcessSpec:
        """Return the web process that serves a listening socket."""
        raise NotImplementedError


def absolute_paths() -> dict[str, str]:
    """Return the settings with paths, which may be relative to the folder of this process: children start elsewhere."""
    paths = {"TABLERO_VAR": str(settings.VAR_DIR), "STATIC_ROOT": str(Path(settings.STATIC_ROOT).absolute())}
    if os.environ.get("DATABASE_URL", "").startswith("sqlite"):
        paths["DATABASE_URL"] = f"sqlite:///{Path(settings.DATABASES['default']['NAME']).absolute()}"
    return paths


def lan_settings(host: str, outside: list[str]) -> dict[str, str]:
    """Return the settings with which the site accepts this machine's addresses in its local network, and no others.

    Settings of the environment take precedence.
    """
    if not outside:
        return {}
    usual = {
        "ALLOWED_HOSTS": ",".join([*settings.ALLOWED_HOSTS, *lan_addresses.hosts(host)]),
        "CSRF_TRUSTED_ORIGINS": ",".join([*settings.CSRF_TRUSTED_ORIGINS, *outside]),
        "SITE_URL": outside[0],
    }
    if os.environ.get("ALLOWED_HOSTS"):
        return {}
    return {name: value for name, value in usual.items() if not os.environ.get(name)}


def print_welcome(children: Supervisor, url: str, outside: list[str], accounts: list[tuple[str, str]]) -> None:
    """Print new demo accounts, the URL, and how to stop."""
    for name, password in accounts:
        children.print_line(_("Demo account: %(name)s  password: %(password)s") % {"name": name, "password": password})
    children.print_line(_("Tablero is running at %s") % url)
    print_invitation(children, url, outside)
    children.print_line(_("Press Ctrl-C to stop. Data is kept in %s") % settings.VAR_DIR)


def print_invitation(children: Supervisor, url: str, outside: list[str]) -> None:
    """Print the URLs for phones in the local network, and the link for the first owner if the site has none."""
    if outside:
        children.print_line(_("On this network:"))
        for address in outside:
            children.print_line(f"  {address}")
        for line in lan_addresses.qr_code(outside[0]):
            children.print_line(f"  {line}")
    if first_owner.is_needed():
        children.print_line(
            _("This site has no owner yet. Open this link to create the owner account (works once, for 24 hours):")
        )
        children.print_line(f"  {outside[0] if outside else url}{first_owner.link_create()}")


def is_private(host: str) -> bool:
    """Whether only users of this machine can reach the site, as far as the settings tell."""
    return listening_socket.is_loopback(host) and not (settings.HTTPS or settings.TRUST_PROXY)


def run_step(children: Supervisor, name: str, work: Callable[[], object]) -> None:
    """Run one preparing step, and report it if it took long."""
    children.check()
    begin = time.monotonic()
    work()
    if (took := time.monotonic() - begin) > 1:
        children.print_line(f"Prepared {name} in {took:.1f} s")
