"""What every answer tells the browser, whoever made it: pages, files, refusals and errors alike."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

NEVER = (
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
"""What no page of ours asks of a device."""
OURS = ("fullscreen", "publickey-credentials-create", "publickey-credentials-get", "screen-wake-lock")
PERMISSIONS = ", ".join([*(f"{name}=()" for name in NEVER), *(f"{name}=(self)" for name in OURS)])


class HeadersMiddleware:
    """The outermost: nothing that leaves is without these headers, and no page of a person is kept by a cache."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("X-Permitted-Cross-Domain-Policies", "none")
        if "Cache-Control" not in response.headers and _personal(request, response):
            kept = "no-cache" if "ETag" in response.headers else "no-store"
            response.headers["Cache-Control"] = f"private, {kept}"
        return response


def _personal(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether somebody's session or token could stand behind the answer."""
    asked = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
    return asked or bool(response.cookies)
