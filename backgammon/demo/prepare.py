"""Everything between a fresh clone and the first page: folders, tables, static files, the club, its bots.

Each step may run any number of times and has its effect once.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


class AlreadyRunning(Exception):
    """Another supervisor holds this folder."""


def make_folders(var: Path) -> Path:
    """`var/` and `var/run/`, readable by their owner only. Returns `var/run/`."""
    run = var / "run"
    for folder in (var, run):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    return run


@contextmanager
def held(run: Path) -> Iterator[None]:
    """Hold the folder until the block ends or the process dies. Raises AlreadyRunning when somebody else has it."""
    with (run / "demo.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AlreadyRunning(f"Tablero is already running on {run.parent} (its lock is {file.name}).") from None
        yield


def migrate() -> None:
    """Bring the tables up to date."""
    call_command("migrate", interactive=False, verbosity=0)


def collect_static(var: Path) -> bool:
    """Collect the static files when any has changed since the last time. Returns whether it did."""
    stamp = var / "static.stamp"
    print_now = static_fingerprint()
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if manifest.exists() and stamp.exists() and stamp.read_text() == print_now:
        return False
    call_command("collectstatic", interactive=False, clear=False, verbosity=0, stdout=io.StringIO())
    stamp.write_text(print_now)
    return True


def static_fingerprint() -> str:
    """Names, sizes and times of all static files: cheaper than reading them."""
    digest = hashlib.sha256(str((settings.STATIC_ROOT, settings.STORAGES["staticfiles"])).encode())
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda found: found[0]):
            stat = Path(storage.path(path)).stat()
            digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def seed(*, accounts: bool) -> list[tuple[str, str]]:
    """The default club, its first ladders and the bots; with `accounts`, on a fresh database, also the demo accounts.

    Returns the names and passwords of the demo accounts that were made, for nobody can read them later.
    """
    from accounts import services
    from accounts.models import User
    from games.services.ladders import ladders_ensure_default

    fresh = not User.objects.exists()
    club = services.club_ensure_default()
    services.bots_ensure()
    made = services.demo_accounts_ensure() if fresh and accounts else []
    ladders_ensure_default(club)
    return made
