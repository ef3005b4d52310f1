"""The registry of reasons for which accounts are closed, as their owners see them at sign-in.

An account is closed as long as there is one reason. Apps above register theirs; nothing here knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.utils import timezone as clock

from accounts.models import Ban, MergedAccount, User


class Cause(Enum):
    """What closed an account."""

    BANNED = "banned"
    MERGED = "merged"
    MODERATED = "moderated"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Closure:
    """One reason: the text for the owner, until when (None: permanently), and the account it was merged into."""

    cause: Cause
    reason: str = ""
    until: datetime | None = None
    merged_into: str = ""


Find = Callable[[User], Iterable[Closure]]
_finders: list[Find] = []


def closure_reason(find: Find) -> Find:
    """Register a function that finds reasons for which an account is closed."""
    _finders.append(find)
    return find


def closures_of(user: User) -> list[Closure]:
    """Every reason for which this account is closed now."""
    return [closure for find in _finders for closure in find(user)]


def account_update_active(*, user: User) -> bool:
    """Set `is_active` by whether there is a reason to close the account; returns it. The caller has locked the row.

    Saving a closed account disconnects its sockets (games.connections.sign_outs).
    """
    user.is_active = not closures_of(user)
    user.save(update_fields=["is_active"])
    return user.is_active


@closure_reason
def banned_closure(user: User) -> Iterable[Closure]:
    ban = Ban.objects.filter(user=user, ended_at=None).first()
    if ban is not None and ban.holds(clock.now()):
        yield Closure(Cause.BANNED, ban.reason, ban.until)


@closure_reason
def merged_closure(user: User) -> Iterable[Closure]:
    found = MergedAccount.objects.filter(source=user).select_related("target").first()
    if found is not None:
        yield Closure(Cause.MERGED, merged_into=found.target.username)


@closure_reason
def deleted_closure(user: User) -> Iterable[Closure]:
    if user.left_at is not None:
        yield Closure(Cause.LEFT)
