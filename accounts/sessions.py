"""The log-ins behind what stays open for long: who came in, and whether that still holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import User


@dataclass(frozen=True)
class Visit:
    """Who came in: a user or nobody known, with which session, and the hash of his password at that time."""

    user_id: int | None = None
    guest: bool = False
    key: str | None = None
    hash: str | None = None

    @property
    def mark(self) -> str | None:
        """What other processes are told in the place of the session's key."""
        return mark(self.key)

    @property
    def holder(self) -> tuple[str, int | str] | None:
        """Whose sockets are counted together: a member's, or those of one session; None for a visitor without any."""
        if self.user_id is not None and not self.guest:
            return ("user", self.user_id)
        return ("session", self.key) if self.key else None


def mark(key: str | None) -> str | None:
    return hashlib.sha256(key.encode()).hexdigest() if key else None


def visit_of(user: Any, session: Any) -> Visit:
    """The visit of a request or a socket whose user is resolved (nothing is fetched)."""
    key = getattr(session, "session_key", None)
    if getattr(user, "pk", None) is None:
        return Visit(key=key)
    return Visit(user.pk, user.is_guest, key, session.get(HASH_SESSION_KEY) if key else None)


def ended(visits: Iterable[Visit]) -> set[Visit]:
    """Of the visits of users those that no longer hold.

    He logged out, the session expired, the password is another, the account is closed or deleted. Two queries, however
    many they are. A visitor without account has nothing to be logged out of.
    """
    known = [visit for visit in set(visits) if visit.user_id is not None]
    if not known:
        return set()
    users = User.objects.filter(is_active=True).in_bulk({visit.user_id for visit in known})
    keys = {visit.key for visit in known if visit.key}
    alive = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    sessions = set(alive.values_list("session_key", flat=True))
    return {visit for visit in known if not _holds(visit, users.get(visit.user_id), sessions)}


def _holds(visit: Visit, user: User | None, sessions: set[str]) -> bool:
    if user is None:
        return False
    if visit.key is None:
        return True
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return visit.key in sessions and any(constant_time_compare(visit.hash or "", each) for each in hashes)
