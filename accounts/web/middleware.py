"""The middleware that chooses the language of a page."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware

from backgammon.languages import LANGUAGES

YEAR = 60 * 60 * 24 * 365


def switch_language(request: HttpRequest, language: str) -> None:
    """Have the language written into the cookie of this browser; an empty one deletes the cookie."""
    vars(request)["new_language"] = language


class LanguageMiddleware(LocaleMiddleware):
    """Django's own: cookie, then Accept-Language. A member's stored choice is put into the cookie at sign-in.

    Sign-in, the switch and the settings change the cookie by `switch_language`.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        language = getattr(request, "new_language", None)
        if language == "":
            response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
        elif language in LANGUAGES:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                language,
                max_age=YEAR,
                secure=settings.HTTPS,
                httponly=True,
                samesite="Lax",
            )
        return super().process_response(request, response)
