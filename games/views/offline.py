"""The page that the service worker shows while the network is away."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.web.page_sections import sections
from accounts.web.policy import public


@public
@require_safe
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """What can be done without a network; the same for everybody, since the browser keeps it."""
    return render(request, "games/offline.html", {"sections": sections("offline")})
