"""`manage.py restore FILE`: replace the site by a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from backgammon.ops import locale
from backgammon.ops.errors import Refused
from backgammon.ops.restore import site_restore


class Command(BaseCommand):
    """Exit status 0 if the backup is restored; else 1, and nothing has changed."""

    help = "Replace this site's database with a backup. Stop the site first."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="a backup made by manage.py backup")
        parser.add_argument("--replace", action="store_true", help="rename a database that is not empty first")

    def handle(self, *args: Any, file: str, replace: bool, **options: Any) -> None:
        locale.activate()
        try:
            restored = site_restore(path=Path(file), replace=replace)
        except Refused as refused:
            raise CommandError(refused.text) from refused
        except OSError as error:
            raise CommandError(f"{error.filename or file}: {error.strerror}") from error
        self.stdout.write(_("Restored and verified: %(rows)s rows.") % {"rows": restored.rows})
        if restored.aside:
            self.stdout.write(_("The previous version is kept as %(place)s.") % {"place": restored.aside})
        for path in restored.keys_aside:
            self.stdout.write(_("The previous version is kept as %(place)s.") % {"place": path})
        if restored.keys_of_environment:
            line = _("Not restored, because environment variables set them here: %(names)s.")
            self.stdout.write(line % {"names": ", ".join(restored.keys_of_environment)})
        if restored.keys_not_in_backup:
            line = _(
                "The backup does not contain %(names)s. Set their previous values, or everyone will have "
                "to sign in again."
            )
            self.stdout.write(line % {"names": ", ".join(restored.keys_not_in_backup)})
        self.stdout.write(_("Start the site. Match clocks resume where they stopped."))
