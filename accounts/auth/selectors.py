"""Read the active sessions of a user."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import ActiveSession, User

MAX_SESSIONS = 50
"""Sessions that a user can have: the one used least recently ends when there is one more."""


@dataclass(frozen=True)
class SessionRow:
    """A row of the list of sessions; `here` marks the one of the browser that asks."""

    pk: int
    browser: str
    system: str
    made_at: datetime
    seen_at: datetime
    here: bool


def sessions_of(user: User, *, here: str | None) -> list[SessionRow]:
    """The valid sessions, the one with the key `here` first, then by last use. Two queries, in any case."""
    rows = [
        SessionRow(row.pk, row.browser, row.system, row.made_at, row.seen_at, row.session_key == here)
        for row in valid_and_stale_sessions(user)[0]
    ]
    return sorted(rows, key=lambda row: (not row.here, -row.seen_at.timestamp(), row.pk))


def valid_and_stale_sessions(user: User) -> tuple[list[ActiveSession], list[ActiveSession]]:
    """The rows whose Django session exists and still belongs to the user, and the others."""
    rows = list(ActiveSession.objects.filter(user=user).order_by("-seen_at")[:MAX_SESSIONS])
    keys = [row.session_key for row in rows]
    sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()).in_bulk()
    valid: list[ActiveSession] = []
    stale: list[ActiveSession] = []
    for row in rows:
        session = sessions.get(row.session_key)
        is_valid = session is not None and hash_matches(user, session.get_decoded().get(HASH_SESSION_KEY))
        (valid if is_valid else stale).append(row)
    return valid, stale


def hash_matches(user: User, session_hash: str | None) -> bool:
    """Whether a session began with the user's present password; older SECRET_KEYs count as well."""
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(session_hash or "", valid) for valid in hashes)
