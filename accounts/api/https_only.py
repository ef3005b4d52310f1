"""Refuse API requests over plain HTTP instead of redirecting them, so that no token keeps being sent in clear.

Browsers are redirected to HTTPS (Django's SecurityMiddleware), and use it by themselves the next time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.api.errors import Problem, problem_response


class HTTPSOnlyMiddleware:
    """Answers 403 over plain HTTP to the paths in `SECURE_REDIRECT_EXEMPT`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.paths = [re.compile(path) for path in settings.SECURE_REDIRECT_EXEMPT]

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        plain = settings.SECURE_SSL_REDIRECT and not request.is_secure()
        if plain and any(path.match(request.path.lstrip("/")) for path in self.paths):
            return cast(HttpResponseBase, problem_response(Problem("https_only", status=403)))
        return self.get_response(request)
