"""Which language a page speaks: the member's choice, else the visitor's cookie, else the browser's wish."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware

YEAR = 60 * 60 * 24 * 365


class LanguageMiddleware(LocaleMiddleware):
    """Django's own: cookie, then Accept-Language. A member's stored choice is put into the cookie at log-in.

    Whoever sets `request.new_language` (the log-in, the switch, the settings) has it written into the cookie; an empty
    one takes the cookie away.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        language = getattr(request, "new_language", None)
        if language == "":
            response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
        elif language in dict(settings.LANGUAGES):
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                language,
                max_age=YEAR,
                secure=settings.HTTPS,
                httponly=True,
                samesite="Lax",
            )
        return super().process_response(request, response)
