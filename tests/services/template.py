"""A database with all tables and nobody in them, made once by `manage.py migrate` and copied by whoever starts anew.

To run the migrations takes as long as many tests together; a copy takes no time. What is made for SQLite stays until
the migrations change; a PostgreSQL server of the tests keeps its own for as long as it runs.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services.environment import ROOT, clean

FOLDER = ROOT / ".pytest_cache" / "tablero"


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
