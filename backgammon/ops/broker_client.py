"""The broker client of health checks, metrics and the doctor: it waits a second at most."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from redis import Redis

from backgammon.broker_connections import BrokerPool

TIMEOUT = 1.0  # seconds


@lru_cache(maxsize=4)
def client(url: str) -> Any:  # the stubs do not know `decode_responses`
    """Return this process's client for the broker at `url`."""
    pool = BrokerPool.from_url(url, socket_connect_timeout=TIMEOUT, socket_timeout=TIMEOUT, decode_responses=True)
    return Redis.from_pool(pool)
