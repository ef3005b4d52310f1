"""Record, extend and end sessions. The only writers of `ActiveSession`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.auth.selectors import MAX_SESSIONS, valid_and_stale_sessions
from accounts.auth.user_agents import parse_user_agent
from accounts.errors import Refused
from accounts.models import ActiveSession, User
from accounts.signals import sessions_ended

SEEN_INTERVAL = timedelta(minutes=30)
MAX_AGE = timedelta(days=365)
"""After so long a session ends, however often it is used..."""
IDLE_TIME = timedelta(hours=2)
"""...once it has been idle for so long, so that no match is cut off..."""
GRACE_PERIOD = timedelta(days=7)
"""...but so much later in any case."""
RENEWED_KEY = "renewed"


def session_record(*, user: User, session: SessionBase, user_agent: str) -> None:
    """Add a session that has just begun to the user's list; guests have none."""
    if user.is_guest:
        return
    if session.session_key is None:
        session.save()
    browser, system = parse_user_agent(user_agent[:500])
    moment = timezone.now()
    values = {"user": user, "browser": browser, "system": system, "made_at": moment, "seen_at": moment}
    with transaction.atomic():
        ActiveSession.objects.update_or_create(session_key=session.session_key, defaults=values)
        if excess := list(ActiveSession.objects.filter(user=user).order_by("-seen_at", "-pk")[MAX_SESSIONS:]):
            _end(user.pk, excess)
    # The next page need not write it again.
    cache.set(_seen_key(str(session.session_key)), 1, SEEN_INTERVAL.total_seconds())


def session_ensure_recorded(*, user: User, session: SessionBase, user_agent: str) -> None:
    """Add the present session to the list if its key was changed since sign-in."""
    if session.session_key is None or not ActiveSession.objects.filter(session_key=session.session_key).exists():
        session_record(user=user, session=session, user_agent=user_agent)


def session_rotate_key(session: SessionBase) -> None:
    """Give the session another key; it stays in the list, and sockets opened with the old key reconnect."""
    old_key = session.session_key
    with transaction.atomic():
        session.cycle_key()
        ActiveSession.objects.filter(session_key=old_key).update(session_key=session.session_key)


def session_extend(session: SessionBase) -> None:
    """Let the session last from today on, a guest's too; saved once a day."""
    today = timezone.now().date().isoformat()
    if session.get(RENEWED_KEY) != today:
        session[RENEWED_KEY] = today  # a changed session is saved, and lasts as long again


def session_mark_seen(*, session_key: str) -> None:
    """Record that the session was used, at most once in half an hour."""
    if cache.add(_seen_key(session_key), 1, SEEN_INTERVAL.total_seconds()):
        ActiveSession.objects.filter(session_key=session_key).update(seen_at=timezone.now())


def _seen_key(session_key: str) -> str:
    return f"seen:{session_key}"


def session_end(*, user: User, session_id: int) -> None:
    """End one of the user's sessions, with its sockets. Raises Refused("log_in_gone")."""
    with transaction.atomic():
        row = ActiveSession.objects.select_for_update().filter(user=user, pk=session_id).first()
        if row is None:
            raise Refused("log_in_gone")
        _end(user.pk, [row])


def sessions_end(*, user: User, keep: str | None = None, everywhere: bool = True) -> int:
    """End all sessions of a user but the one with the key `keep`; returns how many ended.

    `everywhere` asks the receivers of `sessions_ended` to revoke other access as well (API tokens, apps).
    """
    with transaction.atomic():
        rows = list(ActiveSession.objects.select_for_update().filter(user=user).exclude(session_key=keep or ""))
        _end(user.pk, rows, everywhere=everywhere)
    return len(rows)


def sessions_prune(*, user: User) -> None:
    """Delete the rows of the user's list that have no valid Django session any more."""
    _valid, stale = valid_and_stale_sessions(user)
    if stale:
        ActiveSession.objects.filter(pk__in=[row.pk for row in stale]).delete()


def sessions_sweep() -> int:
    """End the sessions that are a year old, and delete expired Django sessions. Returns how many ended."""
    moment = timezone.now()
    idle = Q(made_at__lt=moment - MAX_AGE, seen_at__lt=moment - IDLE_TIME)
    old = idle | Q(made_at__lt=moment - MAX_AGE - GRACE_PERIOD)
    ended = 0
    for user_id in set(ActiveSession.objects.filter(old).values_list("user_id", flat=True)[:500]):
        with transaction.atomic():
            rows = list(ActiveSession.objects.select_for_update().filter(old, user=user_id))
            _end(user_id, rows)
        ended += len(rows)
    Session.objects.filter(expire_date__lt=moment).delete()
    return ended


def _end(user_id: int, rows: Sequence[ActiveSession], *, everywhere: bool = False) -> None:
    keys = [row.session_key for row in rows]
    Session.objects.filter(session_key__in=keys).delete()
    ActiveSession.objects.filter(pk__in=[row.pk for row in rows]).delete()
    sessions_ended.send(sender=ActiveSession, user_id=user_id, sessions=keys, everywhere=everywhere)
