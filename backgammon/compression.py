"""Middleware that compresses pages and JSON. Static files are compressed once, at collection."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TYPES = ("text/html", "application/json", "application/xml", "text/plain", "text/csv")


class CompressionMiddleware(GZipMiddleware):
    """Django's GZip, except for streams (events leave at once) and pages that nobody may store.

    Against BREACH, which reads a secret from the lengths of compressed pages: the CSRF token is masked anew in each
    page, Django adds up to 100 random bytes, the session cookie is SameSite=Lax, and a view that shows another secret
    (recovery codes, tokens) is marked `never_cache` and not compressed.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if response.streaming or kind not in TYPES or "no-store" in response.headers.get("Cache-Control", ""):
            return response
        return super().process_response(request, response)
