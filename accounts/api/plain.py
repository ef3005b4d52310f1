"""What programs call is never led from http to https: it is refused, so that no token goes on being sent in the open.

A browser that comes by http is led on (Django's SecurityMiddleware), and comes by itself the next time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.api.errors import Problem, answer_of


class PlainMiddleware:
    """The refusal of the API, at each address of which the settings say that nobody is led on from it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.places = [re.compile(place) for place in settings.SECURE_REDIRECT_EXEMPT]

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        plain = settings.SECURE_SSL_REDIRECT and not request.is_secure()
        if plain and any(place.match(request.path.lstrip("/")) for place in self.places):
            return cast(HttpResponseBase, answer_of(Problem("https_only", status=403)))
        return self.get_response(request)
