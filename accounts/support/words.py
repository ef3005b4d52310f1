"""The support in words: what each act is called, and what it does to the person."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.support.acts import Kind, Sort

TITLES: dict[str, str | Promise] = {
    Kind.LOOK: _("Look at private data"),
    Kind.BAN: _("Close the account"),
    Kind.LIFT: _("Open the account again"),
    Kind.RENAME: _("Change the name"),
    Kind.MERGE: _("Make one account of two"),
    Kind.LOG_OUT: _("Log out everywhere"),
    Kind.RESET: _("Link for a new password"),
    Kind.SECOND: _("Remove the second step"),
    Kind.EXPORT: _("Have the data written"),
}
DANGEROUS = frozenset({Kind.BAN, Kind.MERGE, Kind.SECOND})
"""Acts whose button says that one had better think twice."""
EFFECTS: dict[str, str | Promise] = {
    Kind.LOOK: _("The e-mail addresses and the full name, or the notes about players, are shown once."),
    Kind.BAN: _(
        "Nobody can log in to it, and its open pages are closed at once. Matches under way are not ended: the clocks "
        "run. The reason is read at the log-in."
    ),
    Kind.LIFT: _("The person can log in again."),
    Kind.RENAME: _("The old name stays the person's: nobody else can take it. The person is told."),
    Kind.MERGE: _("For one person with two accounts. It cannot be taken back."),
    Kind.LOG_OUT: _("Every log-in ends at once, in all browsers. The person can log in again."),
    Kind.RESET: _("The link works once. Hand it over in person, or to an address that you know."),
    Kind.SECOND: _(
        "For who has lost the telephone or the key. Be sure who asks: with the password alone one comes in afterwards. "
        "Every log-in ends."
    ),
    Kind.EXPORT: _("Only the person can fetch the file, in the settings."),
}
DONE: dict[str, str | Promise] = {
    Kind.BAN: _("The account is closed."),
    Kind.LIFT: _("The account is open again."),
    Kind.RENAME: _("The name is changed."),
    Kind.MERGE: _("The two accounts are one."),
    Kind.LOG_OUT: _("Every log-in has ended."),
    Kind.SECOND: _("The second step is removed."),
    Kind.EXPORT: _("The data are being written."),
}
SPANS: dict[str, str | Promise] = {
    "day": _("A day"),
    "week": _("A week"),
    "month": _("30 days"),
    "year": _("A year"),
    "good": _("For good"),
}
LOOKS: dict[str, str | Promise] = {
    "mail": _("E-mail addresses and full name"),
    "notes": _("Notes about players"),
}
SORTS: dict[Sort, str | Promise] = {
    Sort.MEMBER: _("member"),
    Sort.GUEST: _("guest"),
    Sort.BOT: _("bot"),
    Sort.HOUSE: _("bot of the house"),
    Sort.CLOSED: _("closed"),
    Sort.MERGED: _("part of another account"),
    Sort.LEFT: _("has left"),
}
