"""The databases of released versions: `python -m tools.release_database add [VERSION]` keeps one, `list` lists them.

The promise to upgrade begins with the first release (docs/backup.md). At each release, before its tag is set, `add`
stores a small site of the version of this code as a backup in tests/ops/releases; tests/ops/test_upgrades.py
restores every one of them with the code of today.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from tools.services.environment import ROOT

FOLDER = ROOT / "tests" / "ops" / "releases"


def released_databases() -> list[Path]:
    """Return the kept backups, sorted by version."""
    return sorted(FOLDER.glob("*.zip"), key=lambda path: path.stem)


def release_path(version: str) -> Path:
    """Return the path of a version's backup, whether it exists or not."""
    return FOLDER / f"{version}.zip"


def make_backup(path: Path) -> Path:
    """Create a small site with the code of this version and back it up to `path`. Raises Refused if that exists."""
    from backgammon.ops import migration_state
    from backgammon.ops.backup import backup_take
    from tests.ops.prepared_sites import as_default_database, database_at, populate

    state = migration_state.latest()
    folder = Path(tempfile.mkdtemp(prefix="tablero-", dir=os.environ["TABLERO_VAR"]))
    with as_default_database(database_at(str(folder / "tablero.sqlite3"))):
        migration_state.create_tables("default", state, migration_state.models_of(state))
        migration_state.migrate_to_latest()
        populate()
        return backup_take(path=path).path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["add", "list"])
    parser.add_argument("version", nargs="?", help="default: that of this code")
    options = parser.parse_args()
    if options.command == "list":
        print(*(path.stem for path in released_databases()), sep="\n")
        return 0
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    os.environ["SECRET_KEY"] = "of no site"  # so that no secret key is in a file that everybody can read
    from django.conf import settings

    from backgammon import __version__
    from backgammon.ops.errors import Refused

    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    FOLDER.mkdir(exist_ok=True)
    try:
        print(make_backup(release_path(options.version or __version__)).relative_to(ROOT))
    except Refused as refused:
        print(refused.text, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
