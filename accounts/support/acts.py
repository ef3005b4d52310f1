"""What the support may do to which account: one table, denied by default."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from accounts.errors import Refused
from accounts.models import Merged, SupportAct, User
from accounts.second import acts_as_staff

SHORTEST_WHY, LONGEST_WHY = 3, 500
Kind = SupportAct.Kind


class Sort(Enum):
    """What an account is to the support."""

    MEMBER = "member"
    GUEST = "guest"
    BOT = "bot"  # a member's
    HOUSE = "house"  # a bot of the house
    CLOSED = "closed"  # a member, guest or bot that cannot log in now
    MERGED = "merged"
    LEFT = "left"


_PEOPLE = frozenset({Sort.MEMBER, Sort.GUEST})
FITS: Mapping[str, frozenset[Sort]] = {
    Kind.LOOK: frozenset({Sort.MEMBER, Sort.GUEST, Sort.CLOSED, Sort.MERGED}),
    Kind.BAN: _PEOPLE | {Sort.BOT},
    Kind.LIFT: frozenset({Sort.CLOSED}),
    Kind.RENAME: frozenset({Sort.MEMBER, Sort.BOT, Sort.CLOSED}),
    Kind.MERGE: _PEOPLE,
    Kind.LOG_OUT: _PEOPLE,
    Kind.RESET: frozenset({Sort.MEMBER}),
    Kind.SECOND: frozenset({Sort.MEMBER}),
    Kind.EXPORT: _PEOPLE,
}


def sort_of(user: User) -> Sort:
    """What this account is now. One query, and for most none."""
    if user.left_at is not None:
        return Sort.LEFT
    if user.is_house_bot:
        return Sort.HOUSE
    if not user.is_active:
        return Sort.MERGED if Merged.objects.filter(gone=user).exists() else Sort.CLOSED
    if user.is_bot:
        return Sort.BOT
    return Sort.GUEST if user.is_guest else Sort.MEMBER


def act_check(*, by: User, about: User, kind: str) -> None:
    """Let `by` do it to this account.

    Raises Refused: support_staff, support_own, support_above, support_kind.
    """
    if not acts_as_staff(by):
        raise Refused("support_staff")
    if by.pk == about.pk:
        raise Refused("support_own")
    if (about.is_staff or about.is_superuser) and not by.is_superuser:
        raise Refused("support_above")
    if sort_of(about) not in FITS.get(kind, frozenset()):
        raise Refused("support_kind")


def why_check(why: str) -> str:
    """The reason as it is written down. Raises Refused("support_why")."""
    why = why.strip()
    if not SHORTEST_WHY <= len(why) <= LONGEST_WHY or "\0" in why:
        raise Refused("support_why")
    return why


def acts_for(by: User, about: User) -> list[str]:
    """The acts that `by` may do to this account now, in the order of the page."""
    found = []
    for kind in FITS:
        try:
            act_check(by=by, about=about, kind=kind)
        except Refused:
            continue
        found.append(str(kind))
    return found
