"""Connections to the broker: to the Redis or Valkey of REDIS_URL, or to the one that its sentinels name as the master.

A connection whose other host is gone is noticed by the kernel (`DEAD_PEER`): without it, a worker that waits for a task
would wait for minutes at a broker whose link is cut, while the sentinels have long chosen another one.
"""

from __future__ import annotations

import socket
from typing import Any

from redis import ConnectionPool
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

from backgammon.several_hosts import cluster_of, sentinels_of

SENTINEL_TIMEOUT = 0.5
"""Seconds that a sentinel has to answer before the next one is asked."""
DEAD_AFTER = 5
"""Seconds of silence after which the other end of a connection counts as gone; PostgreSQL's connections use it, too."""

_OPTIONS = {"TCP_KEEPIDLE": 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": DEAD_AFTER * 1000}
DEAD_PEER: dict[str, Any] = {
    "socket_connect_timeout": 2,
    "socket_keepalive": True,
    "socket_keepalive_options": {
        getattr(socket, name): value for name, value in _OPTIONS.items() if hasattr(socket, name)
    },
}
# redis-py would try a sentinel that is gone four times within some seconds before it asks the next one.
_TO_SENTINELS = {"socket_connect_timeout": SENTINEL_TIMEOUT, "socket_timeout": SENTINEL_TIMEOUT}
_AT_ONCE = {**_TO_SENTINELS, "retry": Retry(NoBackoff(), 0)}
_AT_ONCE_IN_LOOPS = {**_TO_SENTINELS, "retry": AsyncRetry(NoBackoff(), 0)}


class BrokerPool:
    """Makes pools for a URL of either kind; Django's cache takes a class with this method."""

    @staticmethod
    def from_url(url: str, **options: Any) -> ConnectionPool:
        """Return a pool of connections to the broker."""
        options = {**for_url(url), **options}
        sentinels = sentinels_of(url)
        if sentinels is None:
            return ConnectionPool.from_url(url, **options)
        watching = Sentinel(sentinels.hosts, sentinel_kwargs=_AT_ONCE)
        return SentinelConnectionPool(sentinels.master, watching, **sentinels.sign_in, **options)


def for_url(url: str) -> dict[str, Any]:
    """Return the options of connections to the broker at `url`: a socket of this machine has no other host."""
    return {} if url.startswith("unix://") else DEAD_PEER


def of_channel_layer(url: str, **options: Any) -> dict[str, Any]:
    """Return the broker as channels-redis takes it, or a cluster as `games.channel_layer` does."""
    options = {**for_url(url), **options}
    if (nodes := cluster_of(url)) is not None:
        return {"cluster": nodes.hosts, "username": nodes.username, "password": nodes.password, **options}
    sentinels = sentinels_of(url)
    if sentinels is None:
        return {"address": url, **options}
    return {
        "master_name": sentinels.master,
        "sentinels": list(sentinels.hosts),
        "sentinel_kwargs": _AT_ONCE_IN_LOOPS,
        **sentinels.sign_in,
        **options,
    }


def of_celery(url: str) -> tuple[str, dict[str, Any]]:
    """Return the broker as Celery takes it: its URL and its transport options."""
    options = for_url(url)
    sentinels = sentinels_of(url)
    if sentinels is None:
        return url.replace("unix://", "redis+socket://", 1), {**options}
    return sentinels.celery_url(), {**options, "master_name": sentinels.master, "sentinel_kwargs": _AT_ONCE}
