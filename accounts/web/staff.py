"""The rights of staff, which need two-factor authentication."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.conf import settings

from accounts.models import User

SECOND_FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
"""What counts as a second factor; recovery codes only replace one that is lost."""


def has_mfa(user: User) -> bool:
    """Whether the user signs in with two factors. One query, and none for a user that is not saved."""
    return user.pk is not None and Authenticator.objects.filter(user_id=user.pk, type__in=SECOND_FACTORS).exists()


def acts_as_staff(user: User | None) -> bool:
    """Whether the user has staff rights now: staff without two-factor authentication have none.

    Used everywhere in place of `is_staff`: pages, sockets and API alike. One query for a member of staff, cached on the
    row that was fetched for this request; none for anybody else.
    """
    if user is None or not getattr(user, "is_staff", False) or not user.is_active:
        return False
    if not settings.STAFF_SECOND_STEP:
        return True
    if user.has_mfa_cached is None:
        user.has_mfa_cached = has_mfa(user)
    return user.has_mfa_cached


def must_set_up_mfa(user: User | None) -> bool:
    """Whether the user is staff, but lacks the two-factor authentication that staff rights need."""
    return bool(user is not None and getattr(user, "is_staff", False) and not acts_as_staff(user))


def refusal_code(user: User | None, code: str) -> str:
    """The code of a refusal that staff would not get: `staff_mfa` where `user` only lacks two-factor authentication."""
    return "staff_mfa" if must_set_up_mfa(user) else code
