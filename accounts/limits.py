"""How often one may do what costs this machine, or somebody's patience: one table (`settings.LIMITS`), one way to ask.

A limit reads "60/h/who": sixty an hour, for each member, or for each address of those who are none ("ip": for each
address, whoever it is). Log-in, sign-up, reset and the change of an e-mail are counted by allauth in the same cache
(`settings.ACCOUNT_RATE_LIMITS`). Windows are fixed: the count begins anew with each, and the answer says when.
"""

from __future__ import annotations

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

SPANS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
USUAL_WAIT = 60
"""Seconds to wait where nobody counted them."""


@dataclass(frozen=True)
class Limit:
    """So many in a span of seconds, for a member or an address."""

    most: int
    span: int
    per: str

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Of "60/h/who" or "10/10m/ip". Raises ValueError."""
        most, span, per = text.split("/")
        if per not in ("who", "ip") or span[-1:] not in SPANS:
            raise ValueError(text)
        return cls(int(most), int(span[:-1] or 1) * SPANS[span[-1]], per)


class TooOften(Refused):
    """Refused("too_often") with the seconds after which it may be tried again."""

    def __init__(self, wait: int) -> None:
        super().__init__("too_often", params={"wait": wait})
        self.wait = wait


def spend(request: HttpRequest, action: str) -> None:
    """Count one `action` of whoever asks. Raises TooOften when it was one too many; unknown actions are a bug."""
    limit = Limit.parse(settings.LIMITS[action])
    moment = time.time()
    window = int(moment // limit.span)
    key = f"limit:{action}:{_who(request, limit)}:{window}"
    cache.add(key, 0, limit.span)
    try:
        count = cache.incr(key)
    except ValueError:  # the window closed, or the cache went away, between the two
        return
    if count > limit.most:
        raise TooOften(max(1, int((window + 1) * limit.span - moment) + 1))


def _who(request: HttpRequest, limit: Limit) -> str:
    user = getattr(request, "user", None)
    if limit.per == "who" and user is not None and user.is_authenticated and not user.is_guest:
        return f"user:{user.pk}"
    return f"ip:{get_ip(request)}"


def limited(action: str, *, when: Callable[[HttpRequest], bool] | None = None) -> Callable[[Any], Any]:
    """A view that may be asked only so often; `when` says which of its requests count."""

    def around(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if when is None or when(request):
                try:
                    spend(request, action)
                except TooOften as refused:
                    return too_many(request, refused.wait)
            return view(request, *args, **kwargs)

        return counted

    return around


def posts(request: HttpRequest) -> bool:
    """Whether something is asked for, and not only looked at."""
    return request.method == "POST"


def searches(request: HttpRequest) -> bool:
    """Whether a list is asked for by words."""
    return any(request.GET.get(name, "").strip() for name in ("q", "name", "player", "rival"))


def too_many(request: HttpRequest, wait: int = USUAL_WAIT) -> HttpResponse:
    """The page that says it, with the seconds to wait."""
    answer = render(request, "429.html", {"refused": TooOften(wait), "minutes": -(-wait // 60)}, status=429)
    answer.headers["Retry-After"] = str(wait)
    return answer
