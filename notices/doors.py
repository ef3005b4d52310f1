"""Where a person gets mail, and the links by which he stops it without logging in."""

from __future__ import annotations

import hmac

from allauth.account.models import EmailAddress
from django.conf import settings
from django.utils.crypto import salted_hmac

from accounts.models import User
from notices.kinds import KINDS
from notices.models import Wishes

ALL = "all"
"""In place of a kind: every mail."""
SALT = "notices.stop"


def address_of(user: User) -> str | None:
    """Where his mail goes: an address that he has shown to be his; None where there is none, or no mail at all."""
    if not settings.HAS_MAIL or user.is_guest or user.is_bot or not user.is_active:
        return None
    mine = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    return mine.values_list("email", flat=True).first()


def stop_token(door: str, kind: str) -> str:
    """What stands in the link that stops mail of a kind (or `ALL`): it names neither its owner nor the kind."""
    return f"{door}.{_seal(door, kind)}"


def stopped_by(token: str) -> tuple[Wishes, str] | None:
    """Whose mail a token stops, and of which kind (or `ALL`); None for one that is not ours."""
    door, _dot, seal = token.partition(".")
    wishes = Wishes.objects.select_related("user").filter(door=door).first() if door and seal else None
    if wishes is None:
        return None
    kind = next((one for one in (ALL, *KINDS) if hmac.compare_digest(_seal(door, one), seal)), None)
    return None if kind is None else (wishes, kind)


def _seal(door: str, kind: str) -> str:
    return salted_hmac(SALT, f"{door} {kind}", algorithm="sha256").hexdigest()[:32]
