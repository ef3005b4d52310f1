"""Errors of backup, restore and database moves: `Refused` as everywhere, with texts of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import errors

TEXTS: dict[str, str | Promise] = {
    "keep_exists": _("%(path)s already exists. Choose another name."),
    "keep_unwritten": _("Could not write %(path)s: %(why)s"),
    "keep_unread": _("Could not read %(path)s: %(why)s"),
    "keep_no_backup": _("%(path)s is not a Tablero backup."),
    "keep_format": _("%(path)s was made by a newer version of Tablero (%(version)s). Install that version first."),
    "keep_newer": _(
        "%(path)s was made by Tablero %(version)s and contains data that this version does not "
        "support (%(part)s). Install that version first."
    ),
    "keep_damaged": _("%(path)s is damaged: the check of %(part)s failed. Use another backup."),
    "keep_differs": _("Verification failed: %(part)s was not copied correctly. Nothing was changed."),
    "keep_runs": _("The site is running. Stop it first: web processes, workers and beat."),
    "keep_connected": _("Other connections to the database: %(count)s. Stop the site first, including its workers."),
    "keep_used": _("The database is not empty. With --replace it is renamed, and the backup takes its place."),
    "keep_target_used": _("The target database is not empty. Choose an empty one: existing data is never overwritten."),
    "keep_target_same": _("That is already this site's database. Choose another one."),
    "keep_target_kind": _("Not a valid database URL. Use postgres://user:password@host:5432/name or sqlite:////path."),
    "keep_database": _("Database error: %(why)s"),
    "keep_no_tables": _("There is nothing to back up yet: the database has no tables."),
    "keep_code_older": _("The database belongs to a newer version of Tablero (%(part)s). Install that version first."),
}


class Refused(errors.Refused):
    """Refuse as `accounts.errors.Refused` does; also knows the texts of backup, restore and moves."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}
