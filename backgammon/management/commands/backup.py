"""`manage.py backup`: the whole site in one file, while people play."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from backgammon.ops import tongue
from backgammon.ops.backup import backup_take, name_now
from backgammon.ops.errors import Refused


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError("a whole number from 1")
    return int(text)


class Command(BaseCommand):
    """Exit 0 when the file is written, read again and whole; else 1, and no file has the name."""

    help = "Write the whole site to one file: database and keys. People may play meanwhile."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        where = parser.add_mutually_exclusive_group()
        where.add_argument("file", nargs="?", help="the file to write (default: one named by the time, in var/backups)")
        where.add_argument("--to", metavar="DIR", help="write a file named by the time into this folder")
        parser.add_argument(
            "--keep", type=at_least_one, metavar="N", help="of the files named by their time, keep the newest N there"
        )

    def handle(self, *args: Any, file: str | None, to: str | None, keep: int | None, **options: Any) -> None:
        tongue.speak()
        folder = Path(to) if to else Path(settings.VAR_DIR) / "backups"
        path = Path(file) if file else folder / name_now()
        try:
            if not file:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            taken = backup_take(path=path, keep=keep)
        except Refused as refused:
            raise CommandError(refused.text) from refused
        except OSError as error:
            raise CommandError(f"{folder}: {error.strerror}") from error
        told = {"path": taken.path, "rows": taken.rows, "tables": len(taken.manifest["tables"]), "size": taken.size}
        self.stdout.write(
            _("%(path)s: %(rows)s rows of %(tables)s tables, %(size)s bytes, read again and whole.") % told
        )
        if names := taken.keys_in_environment:
            line = _("Not in it, for they come from the environment: %(names)s. Keep them, too.")
            self.stdout.write(line % {"names": ", ".join(names)})
        for each in taken.removed:
            self.stdout.write(_("%(path)s is removed.") % {"path": each})
