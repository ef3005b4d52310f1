"""Middleware that sets the security and cache headers of every response: pages, files and errors alike."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

DENIED_FEATURES = (
    "accelerometer",
    "browsing-topics",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
"""Device features that no page of the site uses."""
ALLOWED_FEATURES = ("fullscreen", "publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock")
PERMISSIONS = ", ".join([*(f"{name}=()" for name in DENIED_FEATURES), *(f"{name}=(self)" for name in ALLOWED_FEATURES)])


class HeadersMiddleware:
    """The outermost middleware: every response has these headers, and shared caches store no page of a user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("X-Permitted-Cross-Domain-Policies", "none")
        if "Cache-Control" not in response.headers and _is_personal(request, response):
            storage = "no-cache" if "ETag" in response.headers else "no-store"
            response.headers["Cache-Control"] = f"private, {storage}"
        return response


def _is_personal(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether the response may depend on a session or a token."""
    identified = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
    return identified or bool(response.cookies)
