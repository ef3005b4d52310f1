"""Users with an open page of the site: collected in this process, and written by its heartbeat into the shared cache.

Nothing but a mark in a list depends on it: a lost one comes back with the next heartbeat of that page.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable

from django.core.cache import cache

log = logging.getLogger(__name__)

ONLINE_SECONDS = 75
"""Seconds after the last heartbeat of a page in which its user still counts as online: one comes every 30 s."""

_lock = threading.Lock()
_seen: set[int] = set()


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
    if user_ids:
        cache.set_many({_key(user_id): 1 for user_id in user_ids}, timeout=ONLINE_SECONDS)


def among(user_ids: Iterable[int]) -> frozenset[int]:
    """Those of these users who are online; none, where the cache is away."""
    keys = {_key(user_id): user_id for user_id in user_ids}
    try:
        return frozenset(keys[key] for key in cache.get_many(list(keys)))
    except Exception as error:  # the page is worth more than this mark
        log.warning("online users are unknown: %s", error)
        return frozenset()


def _key(user_id: int) -> str:
    return f"online:{user_id}"
