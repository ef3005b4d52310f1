"""What happens around a log-in that is no part of it."""

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

from accounts import log_ins, programs
from accounts.models import User
from accounts.names import fold
from accounts.signals import log_ins_ended

log = logging.getLogger(__name__)


@receiver(user_logged_in)
def language_follows_the_member(request: HttpRequest | None, user: User, **_: Any) -> None:
    """Ask `LanguageMiddleware` to put the member's stored language into this browser's cookie."""
    if request is not None and user.language:
        request.new_language = user.language  # type: ignore[attr-defined]


@receiver(user_logged_in)
def the_list_of_log_ins_grows(request: HttpRequest | None, user: User, **_: Any) -> None:
    """A log-in stands in its member's list from the start."""
    if request is not None and hasattr(request, "session"):
        log_ins.session_renew(request.session)
        log_ins.log_in_note(user=user, session=request.session, agent=request.headers.get("User-Agent", ""))


@receiver([password_changed, password_reset, password_set, authenticator_added, authenticator_removed])
def other_log_ins_end(request: HttpRequest, user: User, **_: Any) -> None:
    """Who changes how he comes in is logged out everywhere else, and what locked his name is forgotten."""
    here = request.session.session_key if request.session.get(SESSION_KEY) == str(user.pk) else None
    log_ins.log_ins_end(user=user, but=here, everywhere=False)


@receiver(log_ins_ended)
def programs_go_with_all_log_ins(user_id: int, everywhere: bool, **_: Any) -> None:
    """Who logs out everywhere wants nobody in: the programs go, too."""
    if everywhere:
        programs.tokens_end(user=User.objects.get(pk=user_id))


@receiver([password_changed, password_reset, password_set])
def programs_lose_their_tokens(user: User, **_: Any) -> None:
    """Who feared for his password may fear for what somebody made with it: a new one ends all tokens, but of bots."""
    programs.tokens_end(user=user)


@receiver([password_reset])
def wrong_tries_are_forgotten(request: HttpRequest, user: User, **_: Any) -> None:
    """A new password opens the door that wrong ones had locked."""
    ratelimit.clear(request, action="login_failed", key=f"typed:{fold(user.username)}")


@receiver(user_logged_in)
def who_comes_in_is_in_the_log(request: HttpRequest | None, user: User, **_: Any) -> None:
    """By number, and how it was shown who it is; the request's mark says where to look further."""
    known = get_authentication_records(request, user) if request is not None and hasattr(request, "session") else []
    by = "+".join(str(each.get("method")) for each in known) or "a new account"
    log.info("user %s has come in by %s", user.pk, by)


@receiver(user_login_failed)
def a_wrong_password_is_in_the_log(**_: Any) -> None:
    """Without what was typed: a name there is often a password."""
    log.warning("a log-in was refused: name or password")


@receiver(authentication_failed)
def a_wrong_second_step_is_in_the_log(user: User, **_: Any) -> None:
    """Whose password is known to somebody who has not the second step."""
    log.warning("a log-in of user %s was refused: second step", user.pk)


@receiver([password_changed, password_reset, password_set, authenticator_added, authenticator_removed])
def another_way_in_is_in_the_log(user: User, signal: Any, **_: Any) -> None:
    said = "a second step" if signal in (authenticator_added, authenticator_removed) else "a password"
    log.info("user %s has changed %s", user.pk, said)
