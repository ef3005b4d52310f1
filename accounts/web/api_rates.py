"""Rate limits of the API: requests counted in the shared cache for each token, user or IP address, by kind.

Every kind allows a number of requests in a number of seconds (`settings.API_RATES`). Windows are aligned to the clock,
the same for all processes. If the cache does not answer, requests pass: that is logged, and nothing is counted.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache

log = logging.getLogger(__name__)

READ, WRITE, PLAY, SEARCH, IMPORT, ANALYSIS, LOGIN = "read", "write", "play", "search", "import", "analysis", "login"
KINDS = (READ, WRITE, PLAY, SEARCH, IMPORT, ANALYSIS, LOGIN)


@dataclass(frozen=True, slots=True)
class Rate:
    """A limit of `quota` requests in `window` seconds."""

    quota: int
    window: int

    @classmethod
    def parse(cls, text: str) -> Rate:
        """``600/60``: six hundred a minute. Raises ValueError."""
        quota, _, window = text.partition("/")
        rate = cls(int(quota), int(window))
        if rate.quota < 1 or rate.window < 1:
            raise ValueError(text)
        return rate


@dataclass(frozen=True, slots=True)
class RateStatus:
    """The state after a request: `left` in this window, which ends in `reset` seconds; `over`: too many."""

    kind: str
    rate: Rate
    left: int
    reset: int
    over: bool = False

    def headers(self) -> dict[str, str]:
        """The headers of draft-ietf-httpapi-ratelimit-headers, and Retry-After where the limit is exceeded."""
        headers = {
            "RateLimit-Policy": f'"{self.kind}";q={self.rate.quota};w={self.rate.window}',
            "RateLimit": f'"{self.kind}";r={self.left};t={self.reset}',
        }
        return {**headers, "Retry-After": str(self.reset)} if self.over else headers


def count_request(kind: str, key: str) -> RateStatus | None:
    """Count one request of `key`, which names a token, a user or an address; None when the cache does not answer."""
    rate = Rate.parse(settings.API_RATES[kind])
    now = time.time()
    window = int(now) // rate.window
    reset = max(1, (window + 1) * rate.window - int(now))
    try:
        count = _count(f"rate:{kind}:{key}:{window}", rate.window)
    except Exception:
        log.exception("requests are not counted: the cache does not answer")
        return None
    return RateStatus(kind, rate, max(0, rate.quota - count), reset, over=count > rate.quota)


def _count(key: str, window: int) -> int:
    try:
        return cache.incr(key)
    except ValueError:  # the first in this window; of two at once one adds, the other increments
        return 1 if cache.add(key, 1, timeout=window + 1) else cache.incr(key)
