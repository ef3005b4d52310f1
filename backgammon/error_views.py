"""The pages of errors that no view answers: 404, and 503 instead of 500 while nothing can be written."""

from __future__ import annotations

import sys
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils import translation
from django.views import defaults

from accounts.web.unwritable import is_unwritable

RETRY_AFTER = "60"  # seconds


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render Django's 404 page without reading the request's body.

    Django's wrapper looks for a CSRF token in the body; an unreadable form would then be a server error. The page's own
    forms need no wrapper: the middleware has seen the cookie.
    """
    view: Any = defaults.page_not_found
    return cast(HttpResponse, view.__wrapped__(request, exception))


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer the exception that is being handled: 503 if the database or the disk cannot be written, else 500.

    The page needs neither of them, and no middleware: the session's may be what failed. Django has logged the error.
    """
    if not is_unwritable(sys.exc_info()[1]):
        return defaults.server_error(request)
    with translation.override(translation.get_language_from_request(request)):
        page = loader.render_to_string("503.html")
    return HttpResponse(page, status=503, headers={"Retry-After": RETRY_AFTER, "Cache-Control": "no-store"})
