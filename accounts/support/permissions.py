"""Which acts of the support are allowed on which accounts: one table, denied by default."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from accounts.errors import Refused
from accounts.models import MergedAccount, SupportAct, User
from accounts.web.staff import acts_as_staff, refusal_code

MIN_REASON_LENGTH, MAX_REASON_LENGTH = 3, 500
Kind = SupportAct.Kind


class AccountType(Enum):
    """The types of accounts that the support distinguishes."""

    MEMBER = "member"
    GUEST = "guest"
    BOT = "bot"  # a member's
    HOUSE = "house"  # a house bot
    CLOSED = "closed"  # a member, guest or bot that cannot sign in now
    MERGED = "merged"
    LEFT = "left"


_PEOPLE = frozenset({AccountType.MEMBER, AccountType.GUEST})
ALLOWED_TYPES: Mapping[str, frozenset[AccountType]] = {
    Kind.VIEW: frozenset({AccountType.MEMBER, AccountType.GUEST, AccountType.CLOSED, AccountType.MERGED}),
    Kind.BAN: _PEOPLE | {AccountType.BOT},
    Kind.LIFT: frozenset({AccountType.CLOSED}),
    Kind.RENAME: frozenset({AccountType.MEMBER, AccountType.BOT, AccountType.CLOSED}),
    Kind.MERGE: _PEOPLE,
    Kind.LOG_OUT: _PEOPLE,
    Kind.RESET: frozenset({AccountType.MEMBER}),
    Kind.SECOND: frozenset({AccountType.MEMBER}),
    Kind.EXPORT: _PEOPLE,
}


def account_type(user: User) -> AccountType:
    """The type of an account now. One query at most."""
    if user.left_at is not None:
        return AccountType.LEFT
    if user.is_house_bot:
        return AccountType.HOUSE
    if not user.is_active:
        return AccountType.MERGED if MergedAccount.objects.filter(source=user).exists() else AccountType.CLOSED
    if user.is_bot:
        return AccountType.BOT
    return AccountType.GUEST if user.is_guest else AccountType.MEMBER


def check_act(*, by: User, about: User, kind: str) -> None:
    """Check that `by` may do this act to the account.

    Raises Refused: support_staff, support_own, support_above, support_kind.
    """
    if not acts_as_staff(by):
        raise Refused(refusal_code(by, "support_staff"))
    if by.pk == about.pk:
        raise Refused("support_own")
    if (about.is_staff or about.is_superuser) and not by.is_superuser:
        raise Refused("support_above")
    if account_type(about) not in ALLOWED_TYPES.get(kind, frozenset()):
        raise Refused("support_kind")


def check_reason(reason: str) -> str:
    """The reason as it is recorded. Raises Refused("support_why")."""
    reason = reason.strip()
    if not MIN_REASON_LENGTH <= len(reason) <= MAX_REASON_LENGTH or "\0" in reason:
        raise Refused("support_why")
    return reason


def allowed_acts(by: User, about: User) -> list[str]:
    """The acts that `by` may do to this account now, in the order of the page."""
    allowed = []
    for kind in ALLOWED_TYPES:
        try:
            check_act(by=by, about=about, kind=kind)
        except Refused:
            continue
        allowed.append(str(kind))
    return allowed
