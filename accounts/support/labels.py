"""The texts of support acts: titles, effects, success messages, durations and types of accounts."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.support.permissions import AccountType, Kind

TITLES: dict[str, str | Promise] = {
    Kind.VIEW: _("View private data"),
    Kind.BAN: _("Close account"),
    Kind.LIFT: _("Reopen account"),
    Kind.RENAME: _("Change username"),
    Kind.MERGE: _("Merge accounts"),
    Kind.LOG_OUT: _("Sign out everywhere"),
    Kind.RESET: _("Password reset link"),
    Kind.SECOND: _("Turn off two-factor authentication"),
    Kind.EXPORT: _("Export data"),
}
DANGEROUS = frozenset({Kind.BAN, Kind.MERGE, Kind.SECOND})
"""Acts with a button in the style of danger."""
EFFECTS: dict[str, str | Promise] = {
    Kind.VIEW: _("Shows the e-mail addresses and full name, or the notes about players, once."),
    Kind.BAN: _(
        "Nobody can sign in to the account, and its open pages close at once. Matches in "
        "progress continue and the clocks keep running. The person sees the reason when they try "
        "to sign in."
    ),
    Kind.LIFT: _("The person can sign in again."),
    Kind.RENAME: _("The old username stays reserved for the person. They are notified of the change."),
    Kind.MERGE: _("Use this when one person has two accounts. It can't be undone."),
    Kind.LOG_OUT: _("Ends every session at once, in all browsers. The person can sign in again."),
    Kind.RESET: _(
        "The link works once. Give it to the person face to face, or send it to an address that you know is theirs."
    ),
    Kind.SECOND: _(
        "Use this when a person has lost their phone or security key. Make sure of their "
        "identity first: afterwards, the password alone is enough to sign in. All their sessions "
        "end."
    ),
    Kind.EXPORT: _("Only the person can download the file, from their settings."),
}
SUCCESS_MESSAGES: dict[str, str | Promise] = {
    Kind.BAN: _("Account closed."),
    Kind.LIFT: _("Account reopened."),
    Kind.RENAME: _("Username changed."),
    Kind.MERGE: _("Accounts merged."),
    Kind.LOG_OUT: _("All sessions ended."),
    Kind.SECOND: _("Two-factor authentication turned off."),
    Kind.EXPORT: _("The data export has started."),
}
DURATION_LABELS: dict[str, str | Promise] = {
    "day": _("1 day"),
    "week": _("1 week"),
    "month": _("30 days"),
    "year": _("1 year"),
    "good": _("Permanently"),
}
PRIVATE_KIND_LABELS: dict[str, str | Promise] = {
    "mail": _("E-mail addresses and full name"),
    "notes": _("Notes about players"),
}
TYPE_LABELS: dict[AccountType, str | Promise] = {
    AccountType.MEMBER: _("member"),
    AccountType.GUEST: _("guest"),
    AccountType.BOT: _("bot"),
    AccountType.HOUSE: _("site bot"),
    AccountType.CLOSED: _("closed"),
    AccountType.MERGED: _("merged into another account"),
    AccountType.LEFT: _("account deleted"),
}
