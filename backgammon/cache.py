"""The shared cache, and what happens without it: a limit goes on counting in each process, and no page falls over."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

PAUSE = 5.0
"""Seconds until the broker is asked again after it did not answer."""

_clients: dict[tuple[str, ...], Any] = {}
"""One pool of connections for each process: Django makes a cache anew for each request of an ASGI server."""
_away: dict[tuple[str, ...], float] = {}


class Cache(RedisCache):
    """Redis; while it does not answer, the memory of this process.

    What was counted before an outage is forgotten for as long as it lasts: a limit is never stricter than it says, and
    never wider than once for each process.
    """

    _servers: list[str]
    _class: type[Any]
    _options: dict[str, Any]

    def __init__(self, server: str, params: Mapping[str, Any]) -> None:
        super().__init__(server, dict(params))
        self._spare = LocMemCache("spare", {**params, "OPTIONS": {"MAX_ENTRIES": 50_000}})

    @property
    def _cache(self) -> Any:
        key = tuple(self._servers)
        client = _clients.get(key)
        if client is None:
            client = _clients.setdefault(key, self._class(self._servers, **self._options))
        return client

    def _ask(self, name: str, asked: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        key = tuple(self._servers)
        if time.monotonic() >= _away.get(key, 0.0):
            try:
                return asked(*args, **kwargs)
            except (RedisError, OSError) as error:
                _away[key] = time.monotonic() + PAUSE
                log.warning("the cache is away, and its limits are counted here: %s", type(error).__name__)
        return getattr(self._spare, name)(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._ask("add", super().add, *args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("get", super().get, *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._ask("set", super().set, *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._ask("touch", super().touch, *args, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._ask("delete", super().delete, *args, **kwargs))

    def get_many(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return self._ask("get_many", super().get_many, *args, **kwargs)  # type: ignore[no-any-return]

    def has_key(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._ask("has_key", super().has_key, *args, **kwargs))

    def incr(self, *args: Any, **kwargs: Any) -> int:
        return int(self._ask("incr", super().incr, *args, **kwargs))

    def set_many(self, *args: Any, **kwargs: Any) -> list[Any]:
        return self._ask("set_many", super().set_many, *args, **kwargs)  # type: ignore[no-any-return]

    def delete_many(self, *args: Any, **kwargs: Any) -> None:
        self._ask("delete_many", super().delete_many, *args, **kwargs)

    def clear(self) -> None:
        self._spare.clear()
        self._ask("clear", super().clear)
