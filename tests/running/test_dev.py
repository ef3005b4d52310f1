"""`manage.py dev`: debug pages, autoreload and static files straight from static/, on this machine only."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.running.test_demo import SOON, all_ended
from tools.load.http_visitor import Visitor
from tools.services.environment import ROOT, clean_environment
from tools.services.site import Site, start

pytestmark = pytest.mark.processes


def refusal(*arguments: str, **env: str) -> str:
    """Run the command, which must fail before it creates anything; its error output."""
    with tempfile.TemporaryDirectory(prefix="tablero-") as folder:
        done = subprocess.run(
            [sys.executable, "manage.py", "dev", *arguments],
            cwd=ROOT,
            env=clean_environment(TABLERO_VAR=f"{folder}/var", **env),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert not Path(folder, "var", "run").exists()
    assert done.returncode == 1
    return done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "club.example"])  # noqa: S104
def test_only_loopback_addresses_are_accepted(host: str) -> None:
    assert refusal("--host", host).splitlines() == [
        f"CommandError: manage.py dev shows debug pages and listens on this computer only, not on {host}."
    ]


@pytest.mark.parametrize("name", ["HTTPS", "TRUST_PROXY", "DATABASE_URL"])
def test_the_settings_of_a_public_site_are_refused(name: str, tmp_path: Path) -> None:
    value = f"sqlite:///{tmp_path / 'other.sqlite3'}" if name == "DATABASE_URL" else "1"
    assert refusal(**{name: value, "ALLOWED_HOSTS": "club.example"}).splitlines() == [
        "CommandError: manage.py dev uses SQLite without a proxy: unset DATABASE_URL, HTTPS and TRUST_PROXY."
    ]


def test_the_debug_web_process_refuses_a_socket_that_other_machines_reach() -> None:
    code = (
        "import socket; from backgammon.demo import debug_web;"
        "listening = socket.create_server(('0.0.0.0', 0)); debug_web.main(listening.fileno())"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["Debug pages are for this computer only, not for 0.0.0.0."]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name (pytest's own are too long for a socket), and no process left in it at the end."""
    with tempfile.TemporaryDirectory(prefix="tablero-", ignore_cleanup_errors=True) as name:
        yield Path(name)
        assert all_ended(Path(name) / "var", within=SOON)


@pytest.fixture
def code(folder: Path) -> Path:
    """A copy of the code, which a test may change."""
    copy = folder / "code"
    ignored = shutil.ignore_patterns(".*", "var", "node_modules", "tests", "tools", "docs", "__pycache__")
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
        with urllib.request.urlopen(url, timeout=30) as response:  # noqa: S310
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
        time.sleep(1)


def test_pages_sockets_static_files_and_reloading(site: Site, code: Path) -> None:
    visitor = Visitor(site.url)
    visitor.sign_up("carlos")
    assert "carlos" in visitor.get("/")[1]

    headers = {"Origin": site.url, "Cookie": visitor.cookie_header}
    with connect(f"{site.url.replace('http', 'ws', 1)}/ws/lobby/", additional_headers=headers, proxy=None) as socket:
        assert '"hello"' in str(socket.recv(timeout=30))

    status, page = fetch(f"{site.url}/no-such-page/")
    assert (status, "DEBUG = True" in page) == (404, True)  # Django's debug page says why it is shown

    (code / "static" / "js" / "new.js").write_text("export const answer = 42;\n")
    assert fetch(f"{site.url}/static/js/new.js") == (200, "export const answer = 42;\n")
    assert not (site.var / "static").exists()  # nothing was collected

    module = code / "backgammon" / "ops" / "health.py"
    module.write_text(module.read_text().replace('HttpResponse("alive\\n"', 'HttpResponse("reloaded\\n"'))
    eventually(lambda: fetch(f"{site.url}/health/live") == (200, "reloaded\n"), site)

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

    text = module.read_text()
    rewrite_until(lambda: any("SyntaxError" in line for line in site.output), text + "\n!\n")
    rewrite_until(lambda: fetch(f"{site.url}/health/live") == (200, "reloaded\n"), text)  # the site survived it


def test_a_killed_supervisor_leaves_no_process(site: Site) -> None:
    site.process.kill()
    site.process.wait()
    assert all_ended(site.var, within=SOON)
