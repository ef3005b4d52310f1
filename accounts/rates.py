"""How often one may ask: counted in the shared cache for each token, person or address, by kind of request.

Every kind has a number of requests in a number of seconds (`settings.API_RATES`). A window begins with the clock, the
same for all processes. A cache that does not answer stops nobody: that is logged, and nothing is counted.
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
    """So many requests (`quota`) in so many seconds (`window`)."""

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
class Spent:
    """What is left after a request: `left` in this window, which ends in `reset` seconds; `over`: too many."""

    kind: str
    rate: Rate
    left: int
    reset: int
    over: bool = False

    def headers(self) -> dict[str, str]:
        """The names of draft-ietf-httpapi-ratelimit-headers, and Retry-After for who has to wait."""
        told = {
            "RateLimit-Policy": f'"{self.kind}";q={self.rate.quota};w={self.rate.window}',
            "RateLimit": f'"{self.kind}";r={self.left};t={self.reset}',
        }
        return {**told, "Retry-After": str(self.reset)} if self.over else told


def spend(kind: str, who: str) -> Spent | None:
    """Count one request of `who` (a word that names a token, a person or an address); None when nobody can count."""
    rate = Rate.parse(settings.API_RATES[kind])
    now = time.time()
    window = int(now) // rate.window
    reset = max(1, (window + 1) * rate.window - int(now))
    try:
        count = _count(f"rate:{kind}:{who}:{window}", rate.window)
    except Exception:
        log.exception("requests are not counted: the cache does not answer")
        return None
    return Spent(kind, rate, max(0, rate.quota - count), reset, over=count > rate.quota)


def _count(key: str, window: int) -> int:
    try:
        return cache.incr(key)
    except ValueError:  # the first in this window; two firsts at once: one adds, the other counts on
        return 1 if cache.add(key, 1, timeout=window + 1) else cache.incr(key)
