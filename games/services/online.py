"""Who has a page of the site open: kept in this process, and written by its heartbeat into the cache that all share.

Nothing but a mark in a list depends on it: one that is lost comes back with the next beat of that page.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable

from django.core.cache import cache

log = logging.getLogger(__name__)

STAYS = 75
"""Seconds after the last sign of a page in which its player still counts as here: it beats every 30 s."""

_lock = threading.Lock()
_seen: set[int] = set()


def seen(user_id: int | None) -> None:
    """A page of this player is open. Costs nothing."""
    if user_id is not None:
        with _lock:
            _seen.add(user_id)


def write() -> None:
    """Write who was seen since the last time."""
    with _lock:
        people = frozenset(_seen)
        _seen.clear()
    if people:
        cache.set_many({_key(one): 1 for one in people}, timeout=STAYS)


def among(people: Iterable[int]) -> frozenset[int]:
    """Who of these people is here; nobody, where the cache is away."""
    keys = {_key(one): one for one in people}
    try:
        return frozenset(keys[key] for key in cache.get_many(list(keys)))
    except Exception as error:  # the page is worth more than this mark
        log.warning("nobody knows who is here: %s", error)
        return frozenset()


def _key(user_id: int) -> str:
    return f"online:{user_id}"
