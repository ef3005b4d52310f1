"""The middleware that refuses unparsable URLs in OAuth requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

OAUTH_PATH, OAUTH_API_PATH = "/identity/", "/identity/o/api/"


URL_PARAMETERS = ("redirect_uri", "resource", "post_logout_redirect_uri")


class OAuthURLMiddleware:
    """Answers 400 to an OAuth request with a URL that cannot be parsed, before allauth sees it.

    allauth parses them unchecked: one like `http://[::1` would be an error of the site. What it does check, it reports
    by a ValidationError, answered likewise.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_args: Any) -> HttpResponseBase | None:
        if not request.path.startswith(OAUTH_PATH):
            return None
        urls = [text for form in (request.GET, request.POST) for name in URL_PARAMETERS for text in form.getlist(name)]
        return None if all(_is_parsable(url) for url in urls) else _invalid_url(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        invalid_oauth_url = request.path.startswith(OAUTH_PATH) and isinstance(exception, ValidationError)
        return _invalid_url(request) if invalid_oauth_url else None


def _invalid_url(request: HttpRequest) -> HttpResponseBase:
    if request.path.startswith(OAUTH_API_PATH):
        return JsonResponse({"error": "invalid_request"}, status=400)
    error = {"description": _("This app sent an invalid URL.")}
    return render(request, "idp/oidc/error.html", {"error": error}, status=400)


def _is_parsable(url: str) -> bool:
    try:
        urlsplit(url)
    except ValueError:
        return False
    return True
