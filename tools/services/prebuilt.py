"""What every new site starts with, built once: an empty database with all tables, and the static files.

Migrations take as long as many tests together, a copy takes no time. The SQLite file is kept until the migrations
change; a PostgreSQL server of the tests keeps its own as long as it runs. Sites share the static files, which they only
read, until one of them changes.
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

from tools.services.environment import ROOT, clean_environment

FOLDER = ROOT / ".pytest_cache" / "tablero"
OLD = 24 * 60 * 60
COLLECT = """
import django, os, pathlib
django.setup()
from backgammon.demo.prepare import collect_static
collect_static(pathlib.Path(os.environ["TABLERO_VAR"]))
"""


def copy_database(path: Path) -> None:
    """Create a SQLite file with all tables at `path`, where no file is yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(sqlite_template(), path)


def sqlite_template() -> Path:
    """Return the file to copy."""
    found = FOLDER / f"{schema_version()}.sqlite3"
    with exclusive():
        if not found.exists():
            for old in FOLDER.glob("*.sqlite3"):
                old.unlink()
            with tempfile.TemporaryDirectory(prefix="tablero-") as var:
                migrate(TABLERO_VAR=var)
                shutil.copyfile(Path(var) / "tablero.sqlite3", found.with_suffix(".part"))
            found.with_suffix(".part").rename(found)
    return found


def postgres_template(url: str) -> str:
    """Return the name of the database to copy on the server of `url`; it has no connections."""
    import psycopg

    name = f"tablero_template_{schema_version()}"
    with exclusive(), psycopg.connect(url, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute('DROP DATABASE IF EXISTS "tablero_template_part" WITH (FORCE)')
            connection.execute('CREATE DATABASE "tablero_template_part"')
            with tempfile.TemporaryDirectory(prefix="tablero-") as var:
                migrate(TABLERO_VAR=var, DATABASE_URL=url.rsplit("/", 1)[0] + "/tablero_template_part")
            connection.execute(f'ALTER DATABASE "tablero_template_part" RENAME TO "{name}"')  # type: ignore[call-overload]
    return name


def static_files(var: Path) -> dict[str, str]:
    """Return the environment of a site on `var` whose static files are collected already."""
    digest = hashlib.sha256((ROOT / "requirements/base.txt").read_bytes())
    for path in ("backgammon/static_storage.py", "backgammon/bundles.py"):
        digest.update((ROOT / path).read_bytes())
    for path in sorted([*ROOT.glob("static/**/*"), *ROOT.glob("locale/js/*")]):
        facts = path.stat()
        digest.update(f"{path} {facts.st_size} {facts.st_mtime_ns if path.is_file() else 0}".encode())
    found = FOLDER / f"static-{digest.hexdigest()[:16]}"
    stamp = found / "static.stamp"  # the site compares it; it is written after the files
    with exclusive():
        if not stamp.exists():
            for old in FOLDER.glob("static-*"):
                if time.time() - old.stat().st_mtime > OLD:  # a running site may still read it
                    shutil.rmtree(old)
            with tempfile.TemporaryDirectory(prefix="tablero-") as made:
                env = clean_environment(
                    TABLERO_VAR=made, STATIC_ROOT=str(found), DJANGO_SETTINGS_MODULE="backgammon.settings"
                )
                subprocess.run([sys.executable, "-c", COLLECT], cwd=ROOT, env=env, check=True)
                shutil.copyfile(Path(made) / "static.stamp", stamp)
    var.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(stamp, var / "static.stamp")
    return {"STATIC_ROOT": str(found)}


def schema_version() -> str:
    """Return a hash that changes with every migration, and with libraries that may bring some."""
    digest = hashlib.sha256((ROOT / "requirements/base.txt").read_bytes())
    for path in sorted([*ROOT.glob("*/migrations/*.py"), *ROOT.glob("backgammon/*/migrations/*.py")]):
        digest.update(path.as_posix().removeprefix(ROOT.as_posix()).encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@contextmanager
def exclusive() -> Iterator[None]:
    """Let one process build while the others wait."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def migrate(**env: str) -> None:
    """Apply all migrations in a process of its own. Raises CalledProcessError."""
    digest = clean_environment(**env, DJANGO_SETTINGS_MODULE="backgammon.settings")
    subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=digest, check=True)
