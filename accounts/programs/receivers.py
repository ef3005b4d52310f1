"""Revoke API tokens and authorised apps when a user signs out everywhere or chooses a new password."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.dispatch import receiver

from accounts.models import User
from accounts.programs import services as programs
from accounts.signals import sessions_ended


@receiver(sessions_ended)
def revoke_tokens_on_sign_out_everywhere(user_id: int, everywhere: bool, **_: Any) -> None:
    """Revoke all tokens of a user who signed out everywhere."""
    if everywhere:
        programs.tokens_revoke_all(user=User.objects.get(pk=user_id))


@receiver([password_changed, password_reset, password_set])
def revoke_tokens_on_new_password(user: User, **_: Any) -> None:
    """Revoke all tokens but those of bots: whoever knew the old password may have created some."""
    programs.tokens_revoke_all(user=user)
