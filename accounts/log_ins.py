"""Where somebody is logged in: told in words of our own, ended one by one or all at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts import signals
from accounts.errors import Refused
from accounts.models import LogIn, User

MOST = 50
"""Log-ins that one member keeps: the oldest ends when there is one more."""
SEEN_EVERY = timedelta(minutes=30)
LONGEST = timedelta(days=365)
"""After so long a log-in ends, however often it is used..."""
AWAY = timedelta(hours=2)
"""...when its member has been away for so long: a match is not cut off for it..."""
GRACE = timedelta(days=7)
"""...but so much later in any case."""
RENEWED = "renewed"
BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"))
LATER_BROWSERS = (("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("CrOS", "ChromeOS"))
LATER_SYSTEMS = (("Macintosh", "Mac"), ("Mac OS X", "Mac"), ("Linux", "Linux"))


def words_of(agent: str) -> tuple[str, str]:
    """The browser and the system that a user agent names, in words of ours; empty where it names none that we know.

    >>> words_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    ('Firefox', 'Linux')
    """
    browser = next((name for mark, name in (*BROWSERS, *LATER_BROWSERS) if re.search(rf"\b{mark}\w*/", agent)), "")
    system = next((name for mark, name in (*SYSTEMS, *LATER_SYSTEMS) if mark in agent), "")
    return browser, system


@dataclass(frozen=True)
class Listed:
    """A row of the list."""

    pk: int
    browser: str
    system: str
    made_at: datetime
    seen_at: datetime
    here: bool


def log_in_note(*, user: User, session: SessionBase, agent: str) -> None:
    """A log-in has just happened: it stands in the list from now on."""
    if user.is_guest:
        return
    if session.session_key is None:
        session.save()
    browser, system = words_of(agent[:500])
    moment = timezone.now()
    facts = {"user": user, "browser": browser, "system": system, "made_at": moment, "seen_at": moment}
    with transaction.atomic():
        LogIn.objects.update_or_create(session_key=session.session_key, defaults=facts)
        if over := list(LogIn.objects.filter(user=user).order_by("-seen_at", "-pk")[MOST:]):
            _end(user.pk, over)
    cache.set(_seen(str(session.session_key)), 1, SEEN_EVERY.total_seconds())  # the next page need not write it again


def log_in_ensure(*, user: User, session: SessionBase, agent: str) -> None:
    """The session that somebody looks from stands in his list, though its key was changed since the log-in."""
    if session.session_key is None or not LogIn.objects.filter(session_key=session.session_key).exists():
        log_in_note(user=user, session=session, agent=agent)


def log_in_rekey(session: SessionBase) -> None:
    """Another key for the same log-in, which stays in the list; what is open with the old one comes in anew."""
    old = session.session_key
    with transaction.atomic():
        session.cycle_key()
        LogIn.objects.filter(session_key=old).update(session_key=session.session_key)


def session_renew(session: SessionBase) -> None:
    """Whoever comes stays in: a session lasts from the last day of its use on, a guest's too."""
    today = timezone.now().date().isoformat()
    if session.get(RENEWED) != today:
        session[RENEWED] = today  # what is changed is saved, and lasts as long again


def log_in_seen(*, session_key: str) -> None:
    """The session was used; written down once in half an hour."""
    if cache.add(_seen(session_key), 1, SEEN_EVERY.total_seconds()):
        LogIn.objects.filter(session_key=session_key).update(seen_at=timezone.now())


def _seen(session_key: str) -> str:
    return f"seen:{session_key}"


def log_ins_of(user: User, *, here: str | None) -> list[Listed]:
    """His log-ins that hold, this one first and then the one used last. Three queries, however many they are."""
    rows = _alive(user)
    found = [Listed(one.pk, one.browser, one.system, one.made_at, one.seen_at, one.session_key == here) for one in rows]
    return sorted(found, key=lambda one: (not one.here, -one.seen_at.timestamp(), one.pk))


def log_in_end(*, user: User, log_in_id: int) -> None:
    """Log one of his own sessions out, with its sockets. Raises Refused("log_in_gone")."""
    with transaction.atomic():
        found = LogIn.objects.select_for_update().filter(user=user, pk=log_in_id).first()
        if found is None:
            raise Refused("log_in_gone")
        _end(user.pk, [found])


def log_ins_end(*, user: User, but: str | None = None, everywhere: bool = True) -> int:
    """Log somebody out in all browsers, `but` in one session; how many log-ins ended.

    `everywhere` says that what else he let in (programs, by tokens) is to go with them; who listens, decides.
    """
    with transaction.atomic():
        rows = list(LogIn.objects.select_for_update().filter(user=user).exclude(session_key=but or ""))
        _end(user.pk, rows, everywhere=everywhere)
    return len(rows)


def log_ins_sweep() -> int:
    """End the log-ins that are a year old, and forget the sessions whose time is over. How many log-ins ended."""
    moment = timezone.now()
    old = Q(made_at__lt=moment - LONGEST, seen_at__lt=moment - AWAY) | Q(made_at__lt=moment - LONGEST - GRACE)
    ended = 0
    for user_id in set(LogIn.objects.filter(old).values_list("user_id", flat=True)[:500]):
        with transaction.atomic():
            rows = list(LogIn.objects.select_for_update().filter(old, user=user_id))
            _end(user_id, rows)
        ended += len(rows)
    Session.objects.filter(expire_date__lt=moment).delete()
    return ended


def _end(user_id: int, rows: Sequence[LogIn], *, everywhere: bool = False) -> None:
    keys = [one.session_key for one in rows]
    Session.objects.filter(session_key__in=keys).delete()
    LogIn.objects.filter(pk__in=[one.pk for one in rows]).delete()
    signals.log_ins_ended.send(sender=LogIn, user_id=user_id, sessions=keys, everywhere=everywhere)


def _alive(user: User) -> Iterable[LogIn]:
    """The rows whose session is there and still his; the others are forgotten."""
    rows = list(LogIn.objects.filter(user=user).order_by("-seen_at")[:MOST])
    keys = [one.session_key for one in rows]
    sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()).in_bulk()
    good = [one for one in rows if one.session_key in sessions and _his(user, sessions[one.session_key].get_decoded())]
    gone = {one.pk for one in rows} - {one.pk for one in good}
    if gone:
        LogIn.objects.filter(pk__in=gone).delete()
    return good


def _his(user: User, session: dict[str, Any]) -> bool:
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(session.get(HASH_SESSION_KEY, ""), each) for each in hashes)
