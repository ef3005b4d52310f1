"""Template variables of every page: the viewer's theme and boards, and facts about the site."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.web.appearance import appearance_of
from backgammon.languages import is_reviewed


def preferences(request: HttpRequest) -> dict[str, Any]:
    """The viewer's theme and boards, whether this site can send mail and a person has reviewed the language."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        theme = user.theme
    else:
        theme = request.COOKIES.get(settings.THEME_COOKIE_NAME, "auto")
    return {
        "theme": theme if theme in ("light", "dark") else "auto",
        "appearance": appearance_of(request),
        "has_mail": settings.HAS_MAIL,
        "language_reviewed": is_reviewed(get_language()),
    }
