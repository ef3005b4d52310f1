"""What is answered where there is nothing."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.views import defaults


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's page of an address that is not there, which does not read what was sent there.

    Its own wrapper looks for a token in it; a form that cannot be read would then be an error of ours. The token of the
    page's own forms needs no wrapper: the middleware has seen the cookie.
    """
    return cast(HttpResponse, defaults.page_not_found.__wrapped__(request, exception))  # type: ignore[attr-defined]
