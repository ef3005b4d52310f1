"""`manage.py backup`: write the whole site to one file while it runs."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from backgammon.ops import locale
from backgammon.ops.backup import backup_take, timestamped_name
from backgammon.ops.errors import Refused


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError("a whole number from 1")
    return int(text)


class Command(BaseCommand):
    """Exit status 0 if the file was written and verified; else 1, and there is no file of that name."""

    help = "Back up the whole site (database and keys) to one file. The site can keep running."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        target = parser.add_mutually_exclusive_group()
        target.add_argument("file", nargs="?", help="file to write (default: named after the time, in var/backups)")
        target.add_argument("--to", metavar="DIR", help="folder for a file named after the time")
        parser.add_argument(
            "--keep", type=at_least_one, metavar="N", help="keep only the newest N backups in that folder"
        )

    def handle(self, *args: Any, file: str | None, to: str | None, keep: int | None, **options: Any) -> None:
        locale.activate()
        folder = Path(to) if to else Path(settings.VAR_DIR) / "backups"
        path = Path(file) if file else folder / timestamped_name()
        try:
            if not file:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            result = backup_take(path=path, keep=keep)
        except Refused as refused:
            raise CommandError(refused.text) from refused
        except OSError as error:
            raise CommandError(f"{folder}: {error.strerror}") from error
        params = {
            "path": result.path,
            "rows": result.rows,
            "tables": len(result.manifest["tables"]),
            "size": result.size,
        }
        self.stdout.write(
            _("%(path)s: saved and verified (%(tables)s tables, %(rows)s rows, %(size)s bytes).") % params
        )
        if names := result.keys_in_environment:
            line = _(
                "Not in the backup, because they come from environment variables: %(names)s. Keep a copy of them too."
            )
            self.stdout.write(line % {"names": ", ".join(names)})
        for removed in result.removed:
            self.stdout.write(_("Deleted old backup: %(path)s") % {"path": removed})
