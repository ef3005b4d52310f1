"""Signing out, a new password, a suspension and a deletion close the sockets concerned, in every process."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.auth import session_validity
from accounts.models import User
from accounts.signals import sessions_ended
from games import notify


@receiver(user_logged_out)
def close_session(request: HttpRequest | None, user: User | None, **_: Any) -> None:
    """Close the sockets of the session that signs out, and no others; sent before that session is deleted."""
    if (
        user is not None
        and request is not None
        and (session := session_validity.session_digest(request.session.session_key))
    ):
        notify.disconnect_sockets(session=session)


@receiver([password_changed, password_reset, password_set])
def close_other_sessions(request: HttpRequest, user: User, **_: Any) -> None:
    """Close the sockets of every session but that of the request that set a new password."""
    notify.disconnect_sockets(
        user_id=user.pk, but=session_validity.session_digest(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    )


@receiver(sessions_ended)
def close_ended_sessions(sessions: list[str], **_: Any) -> None:
    """Close the sockets of sessions that were ended from elsewhere."""
    for key in sessions:
        notify.disconnect_sockets(session=session_validity.session_digest(key))


@receiver(post_save, sender=User)
def close_suspended(instance: User, **_: Any) -> None:
    if not instance.is_active:
        notify.disconnect_sockets(user_id=instance.pk)


@receiver(post_delete, sender=User)
def close_deleted(instance: User, **_: Any) -> None:
    notify.disconnect_sockets(user_id=instance.pk)
