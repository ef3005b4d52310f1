"""`python -m tests.ops.releases add [VERSION]`: keep a small site of this version; `list` says which there are."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path


def add(version: str | None) -> Path:
    """A furnished site of this code, backed up under the name of its version. Raises Refused when there is one."""
    from backgammon.ops import archive, states
    from backgammon.ops.backup import backup_take
    from tests.ops.houses import database_at, furnish, standing
    from tests.ops.releases import release

    state = states.newest()
    file = Path(tempfile.mkdtemp(prefix="tablero-", dir=os.environ["TABLERO_VAR"])) / "tablero.sqlite3"
    with standing(database_at(str(file))):
        states.build("default", state, states.models_of(state))
        states.migrate_on()
        furnish()
        return backup_take(path=release(version or archive.version())).path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["add", "list"])
    parser.add_argument("version", nargs="?", help="default: that of pyproject.toml")
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    os.environ["SECRET_KEY"] = "of no site"  # so that no key goes into a file that everybody can read
    from django.conf import settings

    from backgammon.ops.errors import Refused
    from tests.ops.releases import releases

    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    if options.what == "list":
        print(*(path.stem for path in releases()), sep="\n")
        return 0
    try:
        print(add(options.version).relative_to(Path.cwd()))
    except Refused as refused:
        print(refused.text, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
