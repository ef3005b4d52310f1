"""`manage.py restore FILE`: the site as it was when the backup was taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from backgammon.ops import tongue
from backgammon.ops.errors import Refused
from backgammon.ops.restore import site_restore


class Command(BaseCommand):
    """Exit 0 when the site is the backup; else 1, and nothing has changed."""

    help = "Put a backup in the place of this site's database; the site must be stopped."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="a file that manage.py backup made")
        parser.add_argument("--replace", action="store_true", help="put aside a database that is not empty")

    def handle(self, *args: Any, file: str, replace: bool, **options: Any) -> None:
        tongue.speak()
        try:
            done = site_restore(path=Path(file), replace=replace)
        except Refused as refused:
            raise CommandError(refused.text) from refused
        except OSError as error:
            raise CommandError(f"{error.filename or file}: {error.strerror}") from error
        self.stdout.write(_("%(rows)s rows are back, each table as it was written.") % {"rows": done.rows})
        if done.aside:
            self.stdout.write(_("What was here before is kept as %(place)s.") % {"place": done.aside})
        for path in done.keys_aside:
            self.stdout.write(_("What was here before is kept as %(place)s.") % {"place": path})
        if done.keys_of_environment:
            line = _("These come from the environment here and stay as they are: %(names)s.")
            self.stdout.write(line % {"names": ", ".join(done.keys_of_environment)})
        if done.keys_not_in_backup:
            line = _("The backup does not hold them: set %(names)s as they were, or everybody has to log in again.")
            self.stdout.write(line % {"names": ", ".join(done.keys_not_in_backup)})
        self.stdout.write(_("Start the site: the clocks of its matches go on where they stood."))
