"""Prepare a site to serve pages: folders, tables, static files, the default club and the bots.

Each step is idempotent.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from accounts.clubs import services as clubs
from backgammon import __version__


class AlreadyRunning(Exception):
    """Another supervisor holds the lock of this folder."""


def make_folders(var: Path) -> Path:
    """Create `var/` and `var/run/`, readable by their owner only. Returns `var/run/`.

    A folder that somebody else owns keeps its mode: Kubernetes mounts volumes that belong to root.
    """
    run = var / "run"
    for folder in (var, run):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder.stat().st_uid == os.getuid():
            folder.chmod(0o700)
    return run


@contextmanager
def exclusive_lock(run: Path) -> Iterator[int]:
    """Hold the lock of a folder until the block ends or the process dies; yields its open file.

    Raises AlreadyRunning if it is taken.
    """
    with (run / "demo.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AlreadyRunning(f"Tablero is already running on {run.parent} (its lock is {file.name}).") from None
        yield file.fileno()


def migrate() -> None:
    """Apply all migrations."""
    call_command("migrate", interactive=False, verbosity=0)


def collect_static(var: Path) -> bool:
    """Collect the static files if any has changed since the last time. Returns whether it did."""
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if manifest.exists() and not os.access(settings.STATIC_ROOT, os.W_OK):
        return False  # the files are part of a container's image
    stamp = var / "static.stamp"
    fingerprint = static_fingerprint()
    if manifest.exists() and stamp.exists() and stamp.read_text() == fingerprint:
        return False
    call_command("collectstatic", interactive=False, clear=False, verbosity=0, stdout=io.StringIO())
    stamp.write_text(fingerprint)
    return True


def static_fingerprint() -> str:
    """Return a hash of the version, and names, sizes and times of all static files: cheaper than reading them.

    In a wheel all files have the same time.
    """
    digest = hashlib.sha256(str((__version__, settings.STATIC_ROOT, settings.STORAGES["staticfiles"])).encode())
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda found: found[0]):
            stat = Path(storage.path(path)).stat()
            digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def seed(*, accounts: bool) -> list[tuple[str, str]]:
    """Create the default club, its first ladders and the bots; with `accounts`, on an empty database, demo accounts.

    Returns the names and passwords of new demo accounts, which cannot be read later.
    """
    from accounts.models import User
    from accounts.users import services as users
    from ladders.services import ladders_ensure_default

    fresh = not User.objects.exists()
    club = clubs.default_club_ensure()
    users.house_bots_ensure()
    made = users.demo_accounts_ensure() if fresh and accounts else []
    ladders_ensure_default(club)
    return made
