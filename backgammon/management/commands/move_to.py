"""`manage.py move_to DATABASE_URL`: the site in another database, row for row."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from backgammon.ops import tongue
from backgammon.ops.errors import Refused
from backgammon.ops.move import site_move

SHOWN = 12  # digits of a SHA-256


class Command(BaseCommand):
    """Exit 0 when every table is there with the same rows; else 1, and nothing is there."""

    help = "Copy the site into another, empty database (SQLite to PostgreSQL, or back); the site must be stopped."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "database_url",
            help="postgres://user:password@host:5432/name, or sqlite:////srv/tablero/var/tablero.sqlite3",
        )

    def handle(self, *args: Any, database_url: str, **options: Any) -> None:
        tongue.speak()
        try:
            moved = site_move(url=database_url)
        except Refused as refused:
            raise CommandError(refused.text) from refused
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        wide = max(len(name) for name in moved.there)
        heads = _("table"), _("rows here"), _("rows there"), _("SHA-256 here"), _("SHA-256 there")
        self.stdout.write(f"{heads[0]:<{wide}} {heads[1]:>12} {heads[2]:>12}  {heads[3]:<14} {heads[4]}")
        for name, there in moved.there.items():
            here = moved.here[name]
            line = f"{name:<{wide}} {here.rows:>12} {there.rows:>12}  {here.sha256[:SHOWN]:<14} {there.sha256[:SHOWN]}"
            self.stdout.write(line)
        told = {"rows": moved.rows, "tables": len(moved.there)}
        self.stdout.write(_("%(rows)s rows of %(tables)s tables are there, all the same.") % told)
        if moved.aside:
            self.stdout.write(_("What was there before is kept as %(place)s.") % {"place": moved.aside})
        self.stdout.write(_("Now set DATABASE_URL to that address for every process, and start the site."))
        self.stdout.write(_("The database here was only read: keep it until you are content."))
