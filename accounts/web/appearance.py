"""How boards look, sound and feel: of a user from the account, of a visitor from a cookie."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest

from accounts.models import APPEARANCE, User

SEPARATOR = "."


def appearance_of(request: HttpRequest) -> dict[str, str]:
    """The attributes of every page, by name: {"board": "walnut", ..., "haptics": "1"}."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        user = visitor(request)
    return as_texts({name: getattr(user, name) for name in APPEARANCE})


def visitor(request: HttpRequest) -> User:
    """A user who is not stored, with what the cookie holds; anything else in it is ignored."""
    user = User()
    texts = request.COOKIES.get(settings.BOARD_COOKIE_NAME, "").split(SEPARATOR)
    if len(texts) != len(APPEARANCE):
        return user
    for name, text in zip(APPEARANCE, texts, strict=True):
        if name == "haptics":
            user.haptics = text == "1"
        elif name == "volume":
            user.volume = int(text) if text in {str(percent) for percent in range(101)} else user.volume
        elif text in dict(User._meta.get_field(name).flatchoices):  # type: ignore[union-attr]
            setattr(user, name, text)
    return user


def cookie_text(chosen: Mapping[str, object]) -> str:
    """What the cookie of a visitor holds."""
    return SEPARATOR.join(as_texts(chosen)[name] for name in APPEARANCE)


def as_texts(chosen: Mapping[str, object]) -> dict[str, str]:
    return {name: str(int(value)) if isinstance(value, bool) else str(value) for name, value in chosen.items()}
