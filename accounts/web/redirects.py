"""Where to go back to after a form."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme


def return_url(request: HttpRequest, default: str = "lobby") -> str:
    """The URL in `next` if it is one of ours, else the page of the route `default`."""
    target = request.POST.get("next") or request.GET.get("next") or ""
    allowed = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    if allowed and target.startswith(("/", "http")):  # anything else would be taken for the name of a route
        return target
    return reverse(default)
