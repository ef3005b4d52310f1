"""`manage.py dev`: debug pages, autoreload and static files straight from static/, on this machine only."""

from __future__ import annotations

import shutil
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from websockets.sync.client import connect

from backgammon.demo import debug_web
from tests.running.test_demo import SOON, all_ended
from tools.load.http_visitor import Visitor
from tools.services.environment import ROOT
from tools.services.site import Site, start


@pytest.fixture
def _private_site(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The settings of a developer, on a new folder. What is refused creates nothing there."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    settings.VAR_DIR = tmp_path / "var"
    yield
    assert not settings.VAR_DIR.exists()


@pytest.mark.usefixtures("_private_site")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "club.example"])  # noqa: S104
def test_only_loopback_addresses_are_accepted(host: str) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("dev", host=host)
    assert str(refused.value) == (f"manage.py dev shows debug pages and listens on this computer only, not on {host}.")


@pytest.mark.usefixtures("_private_site")
@pytest.mark.parametrize("name", ["HTTPS", "TRUST_PROXY", "DATABASE_URL"])
def test_the_settings_of_a_public_site_are_refused(
    name: str, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if name == "DATABASE_URL":
        monkeypatch.setenv(name, f"sqlite:///{tmp_path / 'other.sqlite3'}")
    else:
        setattr(settings, name, True)
    with pytest.raises(CommandError) as refused:
        call_command("dev")
    assert str(refused.value) == "manage.py dev uses SQLite without a proxy: unset DATABASE_URL, HTTPS and TRUST_PROXY."


def test_the_debug_web_process_refuses_a_socket_that_other_machines_reach() -> None:
    with socket.create_server(("0.0.0.0", 0)) as listening, pytest.raises(SystemExit) as refused:  # noqa: S104
        debug_web.main(listening.fileno())
    assert refused.value.code == "Debug pages are for this computer only, not for 0.0.0.0."


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name (pytest's own are too long for a socket), and no process left in it at the end."""
    with tempfile.TemporaryDirectory(prefix="tablero-", ignore_cleanup_errors=True) as name:
        yield Path(name)
        assert all_ended(Path(name) / "var", within=SOON)


@pytest.fixture
def code(folder: Path) -> Path:
    """A copy of the code and of what it is compiled to, which a test may change."""
    copy = folder / "code"
    ignored = shutil.ignore_patterns(".*", "var", "node_modules", "tests", "tools", "docs")
    shutil.copytree(ROOT, copy, ignore=ignored)
    return copy


@pytest.fixture
def site(folder: Path, code: Path) -> Iterator[Site]:
    """A running `manage.py dev` of that copy."""
    command = (sys.executable, "manage.py", "dev", "--port", "0")
    site = start(folder / "var", command=command, code=code, STATICFILES_BACKEND="")
    try:
        site.wait_for_url()
        yield site
    finally:
        site.stop()


def fetch(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=60) as response:  # noqa: S310
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def eventually(condition: Callable[[], bool], site: Site) -> None:
    end = time.monotonic() + 120
    while True:
        try:
            if condition():
                return
        except OSError:  # the web process is restarting
            pass
        assert time.monotonic() < end, site.output
        assert site.process.poll() is None, site.output
        time.sleep(0.1)


@pytest.mark.processes
@pytest.mark.looks
def test_pages_sockets_static_files_reloading_and_a_killed_supervisor(site: Site, code: Path) -> None:
    visitor = Visitor(site.url)
    visitor.sign_up("carlos")
    assert "carlos" in visitor.get("/")[1]

    headers = {"Origin": site.url, "Cookie": visitor.cookie_header}
    with connect(f"{site.url.replace('http', 'ws', 1)}/ws/lobby/", additional_headers=headers, proxy=None) as lobby:
        assert '"hello"' in str(lobby.recv(timeout=60))

    status, page = fetch(f"{site.url}/no-such-page/")
    assert (status, "DEBUG = True" in page) == (404, True)  # Django's debug page says why it is shown

    (code / "static" / "js" / "new.js").write_text("export const answer = 42;\n")
    assert fetch(f"{site.url}/static/js/new.js") == (200, "export const answer = 42;\n")
    assert not (site.var / "static").exists()  # nothing was collected

    module = code / "backgammon" / "ops" / "health.py"

    def rewrite_until(condition: Callable[[], bool], text: str) -> None:
        """Write the module again from time to time: the reloader misses a change that is made while it starts."""
        written_at = -20.0

        def holds() -> bool:
            nonlocal written_at
            if time.monotonic() - written_at > 20:
                module.write_text(text)
                written_at = time.monotonic()
            return condition()

        eventually(holds, site)

    text = module.read_text().replace('HttpResponse("alive\\n"', 'HttpResponse("reloaded\\n"')
    rewrite_until(lambda: fetch(f"{site.url}/health/live") == (200, "reloaded\n"), text)
    rewrite_until(lambda: any("SyntaxError" in line for line in site.output), text + "\n!\n")
    rewrite_until(lambda: fetch(f"{site.url}/health/live") == (200, "reloaded\n"), text)  # the site survived it

    site.process.kill()
    site.process.wait()
    assert all_ended(site.var, within=SOON)
