"""The wheel: built, installed into an empty virtual environment, and run to its first page; its command and folders."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backgammon import __version__, command_line, site_files
from tools import release
from tools.services import site as sites
from tools.services.environment import ROOT, clean_environment

CACHES = (".pyc", "twisted/plugins/dropin.cache")
"""What Python and Twisted write beside the code that they load."""
BASE = (ROOT / "requirements" / "base.txt").read_text()


def test_data_is_in_the_folder_that_the_admin_chose() -> None:
    assert site_files.data_folder({"TABLERO_VAR": "/srv/club"}, installed=True) == Path("/srv/club")


def test_data_of_a_checkout_is_in_its_var() -> None:
    assert site_files.data_folder({"XDG_DATA_HOME": "/home/ana/data"}, installed=False) == ROOT / "var"


@pytest.mark.parametrize(
    ("shared", "folder"),
    [("/home/ana/data", "/home/ana/data/tablero"), ("", "~/.local/share/tablero"), ("here", "~/.local/share/tablero")],
)
def test_data_of_a_wheel_is_in_the_folder_of_the_user(shared: str, folder: str) -> None:
    assert site_files.data_folder({"XDG_DATA_HOME": shared}, installed=True) == Path(folder).expanduser()


def test_the_command_has_no_commands_for_developers() -> None:
    assert not {"dev", "demo", "messages", "shell", "seed_large", "makemigrations"} & set(command_line.COMMANDS)


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["flush"]) == 2
    assert capsys.readouterr().err == "tablero: there is no command 'flush'. `tablero help` lists them.\n"


def test_it_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["--version"]) == 0
    assert capsys.readouterr().out == f"tablero {__version__}\n"


def test_help_lists_each_command_with_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    listed = {line.split()[0] for line in lines if re.match(r"  \w+ {2,}[A-Z]", line)}
    assert listed == {*command_line.COMMANDS, "version"}


READY = {"changes": "", "tags": ["v0.1.0"], "database": True}


def test_a_prepared_release_has_no_problems() -> None:
    assert release.problems("0.2.0", "# Changelog\n\n## [0.2.0] - 2026-12-01\n", **READY) == []


def test_a_release_that_is_not_prepared_says_all_that_is_missing() -> None:
    found = release.problems("0.2.0", "## [Unreleased]\n", changes=" M README.md", tags=["v0.2.0"], database=False)
    assert found == [
        "there are uncommitted changes",
        "v0.2.0 exists: raise __version__ in backgammon/__init__.py",
        "CHANGELOG.md has no section `## [0.2.0] - YYYY-MM-DD`",
        "its database is missing: python -m tools.release_database add",
    ]


def test_the_constraints_are_the_lock_without_its_hashes() -> None:
    lines = release.constraints(BASE).splitlines()
    assert any(re.fullmatch(r"django==5\.2[\d.]*", line) for line in lines)
    assert len(lines) == len(re.findall(r"^[\w.-]+==", BASE, re.MULTILINE))
    assert not [line for line in lines if "hash" in line or line.endswith("\\")]


def test_the_checksums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_text("wheel")
    (tmp_path / release.SUMS).write_text("of an earlier build")
    assert release.checksums(tmp_path) == f"{hashlib.sha256(b'wheel').hexdigest()}  a.whl\n"


def test_without_a_wheel_nothing_is_published(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="has no wheel"):
        release.publish(tmp_path)


@pytest.fixture
def home() -> Iterator[Path]:
    """A home folder with a short path, so that the broker's socket is in it."""
    with tempfile.TemporaryDirectory(prefix="tablero-") as folder:
        yield Path(folder)


@pytest.mark.processes
@pytest.mark.timeout(900)
def test_a_wheel_in_an_empty_environment_serves_its_first_page(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    wheel = build(tmp_path / "dist")
    built = time.monotonic()
    tablero = install(wheel, tmp_path)
    installed = time.monotonic()
    files = listing(tmp_path / "env")
    var = home / ".local" / "share" / "tablero"
    own = {"HOME": str(home), "XDG_DATA_HOME": "", "TABLERO_VAR": "", "PYTHONPATH": ""}
    site = sites.start(var, command=(tablero, "run", "--port", "0"), code=tmp_path, from_nothing=True, **own)
    try:
        page = fetched(f"{site.wait_for_url()}/accounts/login/")
        first_page = time.monotonic()
        [sheet] = re.findall(r'href="(/static/css/[^"]+)"', page)[:1]
        assert fetched(f"{site.url}{sheet}")
        report = run([tablero, "doctor"], cwd=tmp_path, env=site.env)
    finally:
        site.stop()
    assert (var / "tablero.sqlite3").exists()
    assert "files collected" in report.stdout
    assert report.returncode == 0, report.stdout
    assert [name for name in listing(tmp_path / "env") - files if not name.endswith(CACHES)] == []
    with capsys.disabled():
        parts = (("built", built - began), ("installed", installed - built), ("first page", first_page - installed))
        print("\nwheel: " + ", ".join(f"{name} in {seconds:.1f} s" for name, seconds in parts))


def build(folder: Path) -> Path:
    """Build the packages as `make release` does, the wheel from the source archive, and look at what is in it."""
    done = run(["make", "--no-print-directory", "packages", f"DIST={folder}"], cwd=ROOT, env=clean_environment())
    assert done.returncode == 0, done.stderr
    [wheel] = folder.glob("*.whl")
    packed = zipfile.ZipFile(wheel)
    names = set(packed.namelist())
    [about] = [name for name in names if name.endswith(".dist-info/METADATA")]
    assert "opentelemetry-sdk<2,>=1.40; extra == 'traces'" in packed.read(about).decode()
    assert {"backgammon/packed/locale/es/LC_MESSAGES/django.mo", "backgammon/packed/templates/base.html"} <= names
    assert not [name for name in names if name.startswith(("tests/", "tools/", "var/"))]
    return wheel


def install(wheel: Path, folder: Path) -> str:
    """Install a wheel with the locked versions into an empty virtual environment, and return its command."""
    locked = folder / "constraints.txt"
    locked.write_text(release.constraints(BASE))
    environment = folder / "env"
    venv.create(environment, symlinks=True, with_pip=False)
    python = environment / "bin" / "python"
    index = os.environ.get("PIP_INDEX_URL") or index_of_pip()
    installer = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", str(python)]
    more = ["--constraint", str(locked), *(["--default-index", index] if index else [])]
    done = run([*installer, *more, str(wheel)])
    assert done.returncode == 0, done.stderr
    return str(environment / "bin" / "tablero")


def index_of_pip() -> str:
    """The package index that this machine's pip uses, which uv does not ask; empty if there is no pip."""
    pip = shutil.which("pip")
    return run([pip, "config", "get", "global.index-url"]).stdout.strip() if pip else ""


def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(command, capture_output=True, text=True, timeout=600, **options)


def fetched(url: str) -> str:
    """Return a page of the site."""
    with urllib.request.urlopen(url, timeout=60) as answer:  # noqa: S310
        return str(answer.read().decode())


def listing(folder: Path) -> set[str]:
    """Return the names of all files in a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
