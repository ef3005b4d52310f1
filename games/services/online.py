"""Users with an open page of the site: collected in this process, and written by its heartbeat into the shared cache.

Nothing but a mark in a list depends on it: a lost one comes back with the next heartbeat of that page.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Iterable

from django.core.cache import cache

log = logging.getLogger(__name__)

ONLINE_SECONDS = 75
"""Seconds after the last heartbeat of a page in which its user still counts as online: one comes every 30 s."""

PROCESSES = "online:processes"
"""The key of the names of the web processes that wrote who is online there; one that is gone has no users."""

_lock = threading.Lock()
_seen: set[int] = set()
_here: dict[int, float] = {}  # the users of this process, and when each was last seen (monotonic seconds)
_name = secrets.token_hex(4)


def seen(user_id: int | None) -> None:
    """Record that a page of this user is open. Costs nothing."""
    if user_id is not None:
        with _lock:
            _seen.add(user_id)


def write() -> None:
    """Write the users that were seen since the last time."""
    with _lock:
        user_ids = frozenset(_seen)
        _seen.clear()
        moment = time.monotonic()
        _here.update(dict.fromkeys(user_ids, moment))
        gone = [user_id for user_id, at in _here.items() if moment - at > ONLINE_SECONDS]
        for user_id in gone:
            del _here[user_id]
        here = frozenset(_here)
    if user_ids or gone:
        cache.set_many({_key(user_id): 1 for user_id in user_ids}, timeout=ONLINE_SECONDS)
        cache.set(_key(_name), here, timeout=ONLINE_SECONDS)
        names = cache.get(PROCESSES) or frozenset()
        if _name not in names:  # two at once may forget one of them until its next users write again
            present = cache.get_many([_key(name) for name in names])
            cache.set(PROCESSES, {_name, *(name for name in names if _key(name) in present)}, timeout=None)


def among(user_ids: Iterable[int]) -> frozenset[int]:
    """Those of these users who are online; none, where the cache is away."""
    keys = {_key(user_id): user_id for user_id in user_ids}
    try:
        return frozenset(keys[key] for key in cache.get_many(list(keys)))
    except Exception as error:  # the page is worth more than this mark
        log.warning("online users are unknown: %s", error)
        return frozenset()


def count() -> int:
    """How many users are online, guests included; 0 where the cache is away."""
    try:
        users = cache.get_many([_key(name) for name in cache.get(PROCESSES) or ()])
    except Exception as error:
        log.warning("the number of online users is unknown: %s", error)
        return 0
    return len(frozenset().union(*users.values()))


def _key(of: int | str) -> str:
    """The key of a user, or of the users of a process."""
    return f"online:{of}"
