"""A user's mail address, and the unsubscribe links that work without signing in."""

from __future__ import annotations

import hmac

from allauth.account.models import EmailAddress
from django.conf import settings
from django.utils.crypto import salted_hmac

from accounts.models import User
from notifications.kinds import KINDS
from notifications.models import NotificationPreferences

ALL = "all"
"""In place of a kind: every mail."""
SALT = "notifications.stop"


def mail_address_of(user: User) -> str | None:
    """Return a user's verified mail address; None if there is none, or if the site sends no mail."""
    if not settings.HAS_MAIL or user.is_guest or user.is_bot or not user.is_active:
        return None
    addresses = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    return addresses.values_list("email", flat=True).first()


def unsubscribe_token(key: str, kind: str) -> str:
    """What stands in the link that stops mail of a kind (or `ALL_SCOPES`): it names neither its owner nor the kind."""
    return f"{key}.{_seal(key, kind)}"


def read_unsubscribe_token(token: str) -> tuple[NotificationPreferences, str] | None:
    """Return whose mail a token stops, and of which kind (or `ALL_SCOPES`); None for a token that is not ours."""
    key, _dot, seal = token.partition(".")
    preferences = (
        NotificationPreferences.objects.select_related("user").filter(door=key).first() if key and seal else None
    )
    if preferences is None:
        return None
    kind = next((each for each in (ALL, *KINDS) if hmac.compare_digest(_seal(key, each), seal)), None)
    return None if kind is None else (preferences, kind)


def _seal(key: str, kind: str) -> str:
    return salted_hmac(SALT, f"{key} {kind}", algorithm="sha256").hexdigest()[:32]
