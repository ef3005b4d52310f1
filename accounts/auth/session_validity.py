"""Whether the sessions behind long-lived connections are still valid."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.auth.selectors import hash_matches
from accounts.models import User


@dataclass(frozen=True)
class SessionSnapshot:
    """Who opened a connection: a user or an anonymous visitor, with which session, and the session's password hash."""

    user_id: int | None = None
    guest: bool = False
    key: str | None = None
    hash: str | None = None

    @property
    def mark(self) -> str | None:
        """A digest that is sent to other processes in place of the session key."""
        return session_digest(self.key)

    @property
    def holder(self) -> tuple[str, int | str] | None:
        """Whose sockets are counted together: a member's, or those of one session; None for a visitor without any."""
        if self.user_id is not None and not self.guest:
            return ("user", self.user_id)
        return ("session", self.key) if self.key else None


def session_digest(key: str | None) -> str | None:
    """The SHA-256 of a session key, which names it in messages between processes."""
    return hashlib.sha256(key.encode()).hexdigest() if key else None


def session_snapshot(user: Any, session: Any) -> SessionSnapshot:
    """The snapshot of a request or a socket whose user is resolved (nothing is fetched)."""
    key = getattr(session, "session_key", None)
    if getattr(user, "pk", None) is None:
        return SessionSnapshot(key=key)
    return SessionSnapshot(user.pk, user.is_guest, key, session.get(HASH_SESSION_KEY) if key else None)


def open_sessions(keys: Sequence[str]) -> list[tuple[SessionStore, User | None]]:
    """The sessions with these keys, and who is signed in with each: None if nobody is, or not any more.

    Two queries, however many they are; an unknown key is an empty session. Nothing is written, other than by Django for
    a page: a socket can give its browser no new cookie.
    """
    known = Session.objects.filter(session_key__in=set(keys), expire_date__gt=timezone.now())
    data = dict(known.values_list("session_key", "session_data"))
    sessions = [_session(key, data[key]) if key in data else SessionStore() for key in keys]
    ids = {session.get(SESSION_KEY) for session in sessions} - {None}
    users = User.objects.filter(is_active=True).in_bulk([User._meta.pk.to_python(each) for each in ids]) if ids else {}
    return [(session, _user_of(session, users)) for session in sessions]


def _session(key: str, data: str) -> SessionStore:
    session = SessionStore(key)
    session._session_cache = session.decode(data)  # type: ignore[attr-defined]  # as its own `load` does
    return session


def _user_of(session: SessionStore, users: Mapping[int, User]) -> User | None:
    if session.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return None
    user = users.get(User._meta.pk.to_python(session[SESSION_KEY]))
    return user if user is not None and hash_matches(user, session.get(HASH_SESSION_KEY)) else None


def ended_sessions(snapshots: Iterable[SessionSnapshot]) -> set[SessionSnapshot]:
    """The snapshots whose session has ended: signed out, expired, password changed, account closed or deleted.

    Two queries, however many they are. Anonymous visitors have no session to end.
    """
    known = [snapshot for snapshot in set(snapshots) if snapshot.user_id is not None]
    if not known:
        return set()
    users = User.objects.filter(is_active=True).in_bulk({snapshot.user_id for snapshot in known})
    keys = {snapshot.key for snapshot in known if snapshot.key}
    alive = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    sessions = set(alive.values_list("session_key", flat=True))
    return {snapshot for snapshot in known if not _is_valid(snapshot, users.get(snapshot.user_id), sessions)}


def _is_valid(snapshot: SessionSnapshot, user: User | None, sessions: set[str]) -> bool:
    if user is None:
        return False
    if snapshot.key is None:
        return True
    return snapshot.key in sessions and hash_matches(user, snapshot.hash)
