"""What every new site begins with, made once: a database with all tables and nobody in them, and the static files.

To run the migrations takes as long as many tests together; a copy takes no time. What is made for SQLite stays until
the migrations change; a PostgreSQL server of the tests keeps its own for as long as it runs. The static files are
shared by all sites, which only read them, until one of them changes.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services.environment import ROOT, clean

FOLDER = ROOT / ".pytest_cache" / "tablero"
OLD = 24 * 60 * 60
COLLECT = """
import django, os, pathlib
django.setup()
from backgammon.demo.prepare import collect_static
collect_static(pathlib.Path(os.environ["TABLERO_VAR"]))
"""


def lay_down(path: Path) -> None:
    """A new SQLite file with all tables at `path`, where nothing is yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(sqlite(), path)


def sqlite() -> Path:
    """The file to copy."""
    found = FOLDER / f"{version()}.sqlite3"
    with alone():
        if not found.exists():
            for old in FOLDER.glob("*.sqlite3"):
                old.unlink()
            with tempfile.TemporaryDirectory(prefix="tablero-") as var:
                migrate(TABLERO_VAR=var)
                shutil.copyfile(Path(var) / "tablero.sqlite3", found.with_suffix(".part"))
            found.with_suffix(".part").rename(found)
    return found


def postgres(url: str) -> str:
    """The name of the database to copy on the server of `url`; nobody is connected to it."""
    import psycopg

    name = f"tablero_template_{version()}"
    with alone(), psycopg.connect(url, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute('DROP DATABASE IF EXISTS "tablero_template_part" WITH (FORCE)')
            connection.execute('CREATE DATABASE "tablero_template_part"')
            with tempfile.TemporaryDirectory(prefix="tablero-") as var:
                migrate(TABLERO_VAR=var, DATABASE_URL=url.rsplit("/", 1)[0] + "/tablero_template_part")
            connection.execute(f'ALTER DATABASE "tablero_template_part" RENAME TO "{name}"')  # type: ignore[call-overload]
    return name


def statics(var: Path) -> dict[str, str]:
    """The environment of a site on `var` whose static files are collected already."""
    told = hashlib.sha256((ROOT / "requirements/base.txt").read_bytes())
    told.update((ROOT / "backgammon/statics.py").read_bytes())
    for path in sorted(ROOT.glob("static/**/*")):
        facts = path.stat()
        told.update(f"{path} {facts.st_size} {facts.st_mtime_ns if path.is_file() else 0}".encode())
    found = FOLDER / f"static-{told.hexdigest()[:16]}"
    stamp = found / "static.stamp"  # what the site itself knows them by; they are written before it
    with alone():
        if not stamp.exists():
            for old in FOLDER.glob("static-*"):
                if time.time() - old.stat().st_mtime > OLD:  # a site that still runs may read it
                    shutil.rmtree(old)
            with tempfile.TemporaryDirectory(prefix="tablero-") as made:
                env = clean(TABLERO_VAR=made, STATIC_ROOT=str(found), DJANGO_SETTINGS_MODULE="backgammon.settings")
                subprocess.run([sys.executable, "-c", COLLECT], cwd=ROOT, env=env, check=True)
                shutil.copyfile(Path(made) / "static.stamp", stamp)
    var.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(stamp, var / "static.stamp")
    return {"STATIC_ROOT": str(found)}


def version() -> str:
    """Changes whenever a migration does, or a library that may bring some."""
    told = hashlib.sha256((ROOT / "requirements/base.txt").read_bytes())
    for path in sorted(ROOT.glob("*/migrations/*.py")):
        told.update(path.as_posix().removeprefix(ROOT.as_posix()).encode() + path.read_bytes())
    return told.hexdigest()[:16]


@contextmanager
def alone() -> Iterator[None]:
    """One process makes it, the others wait."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def migrate(**env: str) -> None:
    """Raises CalledProcessError."""
    told = clean(**env, DJANGO_SETTINGS_MODULE="backgammon.settings")
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=told, check=True)
