"""Who logs out, gets another password, or is banned or deleted takes his sockets with him, in every process."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset, password_set
from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest

from accounts import sessions as marked
from accounts.models import User
from accounts.signals import log_ins_ended
from games import notify


@receiver(user_logged_out)
def this_browser(request: HttpRequest | None, user: User | None, **_: Any) -> None:
    """A log-out closes the sockets of its own session only; it is sent before that session is forgotten."""
    if user is not None and request is not None and (session := marked.mark(request.session.session_key)):
        notify.doors_shut(session=session)


@receiver([password_changed, password_reset, password_set])
def other_browsers(request: HttpRequest, user: User, **_: Any) -> None:
    """Another password closes the sockets of every session but the one that the request came with."""
    notify.doors_shut(user_id=user.pk, but=marked.mark(request.COOKIES.get(settings.SESSION_COOKIE_NAME)))


@receiver(log_ins_ended)
def log_ins(sessions: list[str], **_: Any) -> None:
    """Log-ins that somebody ended from elsewhere take their sockets along at once."""
    for key in sessions:
        notify.doors_shut(session=marked.mark(key))


@receiver(post_save, sender=User)
def banned(instance: User, **_: Any) -> None:
    if not instance.is_active:
        notify.doors_shut(user_id=instance.pk)


@receiver(post_delete, sender=User)
def deleted(instance: User, **_: Any) -> None:
    notify.doors_shut(user_id=instance.pk)
