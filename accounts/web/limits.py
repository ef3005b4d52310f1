"""Rate limits of the pages, from one table (`settings.LIMITS`).

A limit reads "60/h/who": sixty an hour, for each member, or for each IP address where the user is no member ("ip": for
each address in any case). Sign-in, sign-up, reset and changes of an e-mail address are counted by allauth in the same
cache (`settings.ACCOUNT_RATE_LIMITS`). Windows are fixed: each begins with a count of 0, and a refusal says when.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from accounts.errors import Refused

PATTERN = re.compile(r"(\d{1,9})/([1-9]\d{0,5})?([smhd])/(who|ip)", re.ASCII)
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
DEFAULT_WAIT = 60
"""Seconds to wait where the end of the window is unknown."""


@dataclass(frozen=True)
class Limit:
    """A limit of `quota` actions in `seconds`, counted `per` "who" (member or address) or "ip"."""

    quota: int
    seconds: int
    per: str

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Parse "60/h/who" or "10/10m/ip". Raises ValueError."""
        found = PATTERN.fullmatch(text)
        if found is None:
            raise ValueError(f"not a limit: {text!r}")
        quota, number, unit, per = found.groups()
        return cls(int(quota), int(number or 1) * UNITS[unit], per)


class TooOften(Refused):
    """Refused("too_often") with the seconds to wait."""

    def __init__(self, wait: int) -> None:
        super().__init__("too_often", params={"wait": wait})
        self.wait = wait


def count_action(request: HttpRequest, action: str) -> None:
    """Count one `action` of the user or address. Raises TooOften beyond the limit, KeyError if unknown."""
    limit = Limit.parse(settings.LIMITS[action])
    moment = time.time()
    window = int(moment // limit.seconds)
    key = f"limit:{action}:{_limit_key(request, limit)}:{window}"
    cache.add(key, 0, limit.seconds)
    try:
        count = cache.incr(key)
    except ValueError:  # the window closed, or the cache went away, between the two
        return
    if count > limit.quota:
        raise TooOften(max(1, int((window + 1) * limit.seconds - moment) + 1))


def _limit_key(request: HttpRequest, limit: Limit) -> str:
    user = getattr(request, "user", None)
    if limit.per == "who" and user is not None and user.is_authenticated and not user.is_guest:
        return f"user:{user.pk}"
    return f"ip:{get_ip(request)}"


def limited(action: str, *, when: Callable[[HttpRequest], bool] | None = None) -> Callable[[Any], Any]:
    """Limit how often a view can be requested; `when` chooses which of its requests count."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if when is None or when(request):
                try:
                    count_action(request, action)
                except TooOften as refused:
                    return too_many_requests(request, refused.wait)
            return view(request, *args, **kwargs)

        return counted

    return decorate


def is_post(request: HttpRequest) -> bool:
    """Whether the request submits a form."""
    return request.method == "POST"


def is_search(request: HttpRequest) -> bool:
    """Whether the request searches a list."""
    return any(request.GET.get(name, "").strip() for name in ("q", "name", "player", "rival"))


def too_many_requests(request: HttpRequest, wait: int = DEFAULT_WAIT) -> HttpResponse:
    """The 429 page, with the seconds to wait."""
    response = render(request, "429.html", {"refused": TooOften(wait), "minutes": -(-wait // 60)}, status=429)
    response.headers["Retry-After"] = str(wait)
    return response
