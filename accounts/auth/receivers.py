"""React to sign-ins and changed credentials: the language, the list of sessions, other sessions, and the log."""

from __future__ import annotations

import logging
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.signals import password_changed, password_reset, password_set
from allauth.core import ratelimit
from allauth.mfa.signals import authentication_failed, authenticator_added, authenticator_removed
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.auth import services as auth_services
from accounts.auth.adapter import account_attempts_key, entered_attempts_key
from accounts.models import User
from accounts.web.middleware import switch_language

log = logging.getLogger(__name__)


@receiver(user_logged_in)
def restore_member_language(request: HttpRequest | None, user: User, **_: Any) -> None:
    """Ask `LanguageMiddleware` to put the member's stored language into this browser's cookie."""
    if request is not None and user.language:
        switch_language(request, user.language)


@receiver(user_logged_in)
def record_session(request: HttpRequest | None, user: User, **_: Any) -> None:
    """Add the new session to the member's list."""
    if request is not None and hasattr(request, "session"):
        auth_services.session_extend(request.session)
        auth_services.session_record(
            user=user, session=request.session, user_agent=request.headers.get("User-Agent", "")
        )


@receiver([password_changed, password_reset, password_set, authenticator_added, authenticator_removed])
def end_other_sessions(request: HttpRequest, user: User, **_: Any) -> None:
    """End all other sessions of a user who changed their password or second factor."""
    present = request.session.session_key if request.session.get(SESSION_KEY) == str(user.pk) else None
    auth_services.sessions_end(user=user, keep=present, everywhere=False)


@receiver([password_reset])
def reset_failed_attempts(request: HttpRequest, user: User, **_: Any) -> None:
    """Let the username sign in again that wrong passwords had blocked."""
    ratelimit.clear(request, action="login_failed", key=entered_attempts_key(user.username))
    ratelimit.clear(request, action="login_failed_account", key=account_attempts_key(user.username))


@receiver(user_logged_in)
def log_sign_in(request: HttpRequest | None, user: User, **_: Any) -> None:
    """Log who signed in by which methods; the id of the request leads to more."""
    records = get_authentication_records(request, user) if request is not None and hasattr(request, "session") else []
    methods = "+".join(str(record.get("method")) for record in records) or "a new account"
    log.info("user %s has signed in by %s", user.pk, methods)


@receiver(user_login_failed)
def log_wrong_password(**_: Any) -> None:
    """Log a failed sign-in, without what was entered: a name there is often a password."""
    log.warning("a sign-in was refused: name or password")


@receiver(authentication_failed)
def log_wrong_second_factor(user: User, **_: Any) -> None:
    """Log that somebody knows the password of a user, but lacks the second factor."""
    log.warning("a sign-in of user %s was refused: second factor", user.pk)


@receiver([password_changed, password_reset, password_set, authenticator_added, authenticator_removed])
def log_changed_credentials(user: User, signal: Any, **_: Any) -> None:
    """Log that a user changed their password or a second factor."""
    changed = "a second factor" if signal in (authenticator_added, authenticator_removed) else "the password"
    log.info("user %s has changed %s", user.pk, changed)
