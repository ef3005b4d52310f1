"""The mail of the doors: written down with what it is about, and sent by a worker. Nobody's answer waits for it."""

from __future__ import annotations

import logging
from datetime import timedelta
from types import SimpleNamespace
from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override

from accounts.holders import holder_of
from accounts.models import Letter, User

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
LONGEST = timedelta(hours=3)
"""How long a letter means something: links to choose a password are good for as long as this at the most."""
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
AT_ONCE = 20


def letter_post(*, address: str, subject: str, body: str) -> None:
    """A written letter, on its way when the transaction is committed. Without a mail server nothing is kept."""
    if settings.HAS_MAIL:
        Letter.objects.create(address=address, subject=subject[:300], body=body)


def reset_ask(*, address: str, base: str) -> None:
    """Somebody wants a new password for the account of this address, if there is one: nobody looks while he waits.

    `base` is the address of the site as he knows it, with its scheme.
    """
    if settings.HAS_MAIL:
        facts = {"address": address, "base": base.rstrip("/"), "language": get_language() or ""}
        Letter.objects.create(kind=Letter.Kind.RESET, **facts)


def letters_send() -> int:
    """Send what is due, each once; how many went out. What cannot be sent is tried again after growing pauses."""
    sent = 0
    moment = timezone.now()
    Letter.objects.filter(made_at__lt=moment - LONGEST).delete()
    for pk, due_at in list(Letter.objects.filter(due_at__lte=moment).values_list("pk", "due_at")[:AT_ONCE]):
        if Letter.objects.filter(pk=pk, due_at=due_at).update(due_at=moment + LEASE):
            sent += _send(Letter.objects.get(pk=pk))
    return sent


def _send(letter: Letter) -> bool:
    try:
        with override(letter.language or settings.LANGUAGE_CODE):
            subject, body = _reset(letter) if letter.kind == Letter.Kind.RESET else (letter.subject, letter.body)
        send_mail(subject, body, None, [letter.address])
    except OSError as error:  # SMTP errors are OSErrors: no address and no word of it goes into the log
        log.warning("letter %s: %s", letter.pk, type(error).__name__)
        pause = PAUSES[min(letter.tries, len(PAUSES) - 1)]
        Letter.objects.filter(pk=letter.pk).update(due_at=timezone.now() + pause, tries=letter.tries + 1)
        return False
    letter.delete()
    return True


def _reset(letter: Letter) -> tuple[str, str]:
    """What the holder of the address reads: his link, or that nobody here has this address."""
    user = holder_of(letter.address)
    host = urlsplit(letter.base).netloc
    facts: dict[str, object] = {"email": letter.address, "current_site": SimpleNamespace(name="Tablero", domain=host)}
    if user is None or not user.is_active or user.is_guest or user.is_bot:
        facts["signup_url"] = letter.base + reverse("account_signup")
        return _written("account/email/unknown_account", facts)
    facts.update(user=user, username=user.username, password_reset_url=letter.base + _key_path(user))
    return _written("account/email/password_reset_key", facts)


def _key_path(user: User) -> str:
    token = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    return reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": token})


def _written(name: str, facts: dict[str, object]) -> tuple[str, str]:
    subject = " ".join(render_to_string(f"{name}_subject.txt", facts).split())
    return subject, render_to_string(f"{name}_message.txt", facts).strip() + "\n"
