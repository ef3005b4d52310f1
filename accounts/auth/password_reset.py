"""Links to choose a new password."""

from __future__ import annotations

from allauth.account import app_settings as allauth_settings
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse

from accounts.models import User


def password_reset_path(*, user: User) -> str:
    """The path of a link with which whoever holds it can choose a new password for `user`.

    It works once, and no longer than `PASSWORD_RESET_TIMEOUT`: a new password or sign-in invalidates it.
    """
    token = allauth_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": token})
