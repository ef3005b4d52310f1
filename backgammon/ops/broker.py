"""One small line to the broker for whoever watches the site: it waits a second at most."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from redis import Redis

WAIT = 1.0  # seconds


@lru_cache(maxsize=4)
def client(url: str) -> Any:  # its stubs do not know `decode_responses`
    """The client of this process for the broker at `url`; two lines at most are open."""
    return Redis.from_url(url, socket_connect_timeout=WAIT, socket_timeout=WAIT, decode_responses=True)
