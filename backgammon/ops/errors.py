"""What an admin asked of the keeping of the site and cannot be: `Refused` as everywhere, with sentences of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import errors

TEXTS: dict[str, str | Promise] = {
    "keep_exists": _("%(path)s is there already. Choose another name."),
    "keep_unwritten": _("%(path)s could not be written: %(why)s"),
    "keep_unread": _("%(path)s could not be read: %(why)s"),
    "keep_no_backup": _("%(path)s is not a backup of Tablero."),
    "keep_format": _("%(path)s was made by a newer Tablero (%(version)s). Install that version first."),
    "keep_newer": _(
        "%(path)s was made by Tablero %(version)s, which knows more than this one (%(what)s)."
        " Install that version first."
    ),
    "keep_damaged": _("%(path)s is damaged: %(what)s is not what was written. Take another backup."),
    "keep_differs": _("What was written is not what was read, in %(what)s. Nothing was changed."),
    "keep_runs": _("The site is running. Stop it first: web processes, workers and beat."),
    "keep_connected": _(
        "%(count)s other programs are connected to the database. Stop the site first, workers and all."
    ),
    "keep_used": _("The database is not empty. With --replace it is put aside and the backup takes its place."),
    "keep_target_used": _("The database there is not empty. Choose an empty one: nothing is written over."),
    "keep_target_same": _("That is the database of this site already."),
    "keep_target_kind": _(
        "This is no address of a database: postgres://user:password@host:5432/name or sqlite:////path."
    ),
    "keep_database": _("The database says: %(why)s"),
    "keep_no_tables": _("There is nothing to keep here yet: the database has no tables."),
    "keep_code_older": _("The database is of a newer Tablero than this one (%(what)s). Install that version first."),
}


class Refused(errors.Refused):
    """As in `accounts`; knows the sentences of keeping too."""

    texts: ClassVar[Mapping[str, str | Promise]] = {**errors.Refused.texts, **TEXTS}
