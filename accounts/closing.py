"""Why an account is closed: what its owner reads at the log-in, and whether it can be opened again.

An account is closed as long as there is one reason. Apps above register theirs; nothing here knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.utils import timezone as clock

from accounts.models import Ban, Merged, User


class Cause(Enum):
    """What closed an account."""

    BANNED = "banned"
    MERGED = "merged"
    MODERATED = "moderated"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Closing:
    """One reason: the words for its owner, until when (None: for good), and the account where everything went."""

    cause: Cause
    words: str = ""
    until: datetime | None = None
    into: str = ""


Find = Callable[[User], Iterable[Closing]]
_finders: list[Find] = []


def closing(find: Find) -> Find:
    """Register a function that says why an account is closed."""
    _finders.append(find)
    return find


def closings(user: User) -> list[Closing]:
    """Every reason for which this account is closed now."""
    return [each for find in _finders for each in find(user)]


def account_settle(*, user: User) -> bool:
    """Open an account that has no reason left to be closed, and close one that has; whether it is open.

    Its row is locked by who asks. A saved row that is closed takes its sockets with it (games.log_outs).
    """
    user.is_active = not closings(user)
    user.save(update_fields=["is_active"])
    return user.is_active


@closing
def banned(user: User) -> Iterable[Closing]:
    ban = Ban.objects.filter(user=user, ended_at=None).first()
    if ban is not None and ban.holds(clock.now()):
        yield Closing(Cause.BANNED, ban.why, ban.until)


@closing
def merged(user: User) -> Iterable[Closing]:
    found = Merged.objects.filter(gone=user).select_related("into").first()
    if found is not None:
        yield Closing(Cause.MERGED, into=found.into.username)


@closing
def left(user: User) -> Iterable[Closing]:
    if user.left_at is not None:
        yield Closing(Cause.LEFT)
