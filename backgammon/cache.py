"""The shared cache, with a fallback to process memory: without the broker, limits count per process and pages work."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

RETRY_AFTER = 5.0
"""Seconds until the broker is tried again after it did not respond."""

_clients: dict[tuple[str, ...], Any] = {}
"""One connection pool for each process: Django creates a new cache for each request of an ASGI server."""
_retry_at: dict[tuple[str, ...], float] = {}


class Cache(RedisCache):
    """Redis; while it does not respond, the memory of this process.

    Counts from before an outage are ignored while it lasts: a limit is never stricter than configured, and at most
    multiplied by the number of processes.
    """

    _servers: list[str]
    _class: type[Any]
    _options: dict[str, Any]

    def __init__(self, server: str, params: Mapping[str, Any]) -> None:
        super().__init__(server, dict(params))
        self._fallback = LocMemCache("fallback", {**params, "OPTIONS": {"MAX_ENTRIES": 50_000}})

    @property
    def _cache(self) -> Any:
        key = tuple(self._servers)
        client = _clients.get(key)
        if client is None:
            client = _clients.setdefault(key, self._class(self._servers, **self._options))
        return client

    def _call(self, name: str, method: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        key = tuple(self._servers)
        if time.monotonic() >= _retry_at.get(key, 0.0):
            try:
                return method(*args, **kwargs)
            except (RedisError, OSError) as error:
                _retry_at[key] = time.monotonic() + RETRY_AFTER
                log.warning("the cache does not respond, limits are counted per process: %s", type(error).__name__)
        return getattr(self._fallback, name)(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._call("add", super().add, *args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._call("get", super().get, *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._call("set", super().set, *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._call("touch", super().touch, *args, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._call("delete", super().delete, *args, **kwargs))

    def get_many(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        values: dict[Any, Any] = self._call("get_many", super().get_many, *args, **kwargs)
        return values

    def has_key(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._call("has_key", super().has_key, *args, **kwargs))

    def incr(self, *args: Any, **kwargs: Any) -> int:
        return int(self._call("incr", super().incr, *args, **kwargs))

    def set_many(self, *args: Any, **kwargs: Any) -> list[Any]:
        failed: list[Any] = self._call("set_many", super().set_many, *args, **kwargs)
        return failed

    def delete_many(self, *args: Any, **kwargs: Any) -> None:
        self._call("delete_many", super().delete_many, *args, **kwargs)

    def clear(self) -> None:
        self._fallback.clear()
        self._call("clear", super().clear)
