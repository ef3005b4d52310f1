"""The 404 page."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.views import defaults


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render Django's 404 page without reading the request's body.

    Django's wrapper looks for a CSRF token in the body; an unreadable form would then be a server error. The page's own
    forms need no wrapper: the middleware has seen the cookie.
    """
    view: Any = defaults.page_not_found
    return cast(HttpResponse, view.__wrapped__(request, exception))
