"""`manage.py move_to DATABASE_URL`: copy the site into another database, row for row."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from backgammon.ops import locale
from backgammon.ops.database_move import site_move
from backgammon.ops.errors import Refused

SHOWN = 12  # digits of a SHA-256


class Command(BaseCommand):
    """Exit status 0 if every table was copied with the same rows; else 1, and nothing was written."""

    help = "Copy the site to another, empty database (SQLite to PostgreSQL or back). Stop the site first."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "database_url",
            help="postgres://user:password@host:5432/name, or sqlite:////srv/tablero/var/tablero.sqlite3",
        )

    def handle(self, *args: Any, database_url: str, **options: Any) -> None:
        locale.activate()
        try:
            moved = site_move(url=database_url)
        except Refused as refused:
            raise CommandError(refused.text) from refused
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}") from error
        width = max(len(name) for name in moved.target)
        heads = _("table"), _("source rows"), _("target rows"), _("source SHA-256"), _("target SHA-256")
        self.stdout.write(f"{heads[0]:<{width}} {heads[1]:>12} {heads[2]:>12}  {heads[3]:<14} {heads[4]}")
        for name, target in moved.target.items():
            source = moved.source[name]
            hashes = f"{source.sha256[:SHOWN]:<14} {target.sha256[:SHOWN]}"
            self.stdout.write(f"{name:<{width}} {source.rows:>12} {target.rows:>12}  {hashes}")
        params = {"rows": moved.rows, "tables": len(moved.target)}
        self.stdout.write(_("Copied and verified: %(rows)s rows in %(tables)s tables.") % params)
        if moved.aside:
            self.stdout.write(_("The database that was there before is kept as %(place)s.") % {"place": moved.aside})
        self.stdout.write(_("Next: set DATABASE_URL to the new address for every process, then start the site."))
        self.stdout.write(_("The old database was not changed. Keep it until you have checked the new one."))
