"""The queue of account e-mail: rows that a worker sends, so that no response waits for a mail server."""

from __future__ import annotations

import logging
from datetime import timedelta
from types import SimpleNamespace
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override

from accounts.auth.email_ownership import owner_of_email
from accounts.auth.password_reset import password_reset_path
from accounts.models import QueuedEmail
from backgammon.languages import first_supported

log = logging.getLogger(__name__)

CLAIM_TIME = timedelta(minutes=2)
"""How long a worker has to send an e-mail before another tries."""
MAX_AGE = timedelta(hours=3)
"""Older e-mail is discarded: links to choose a password are valid for as long as this at most."""
RETRY_DELAYS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
BATCH_SIZE = 20


def email_enqueue(*, address: str, subject: str, body: str) -> None:
    """Queue a rendered e-mail, sent once the transaction is committed. Without a mail server nothing is stored."""
    if settings.HAS_MAIL:
        QueuedEmail.objects.create(address=address, subject=subject[:300], body=body)


def password_reset_enqueue(*, address: str, site_url: str) -> None:
    """Queue a password reset for the account of this address, if there is one; the worker looks it up.

    `site_url` is the URL of the site in the browser that asked, with its scheme.
    """
    if settings.HAS_MAIL:
        values = {"address": address, "site_url": site_url.rstrip("/"), "language": get_language() or ""}
        QueuedEmail.objects.create(kind=QueuedEmail.Kind.RESET, **values)


def queued_emails_send() -> int:
    """Send what is due, each once, and return how many were sent. Failures are retried after growing delays."""
    sent = 0
    moment = timezone.now()
    QueuedEmail.objects.filter(made_at__lt=moment - MAX_AGE).delete()
    for pk, due_at in list(QueuedEmail.objects.filter(due_at__lte=moment).values_list("pk", "due_at")[:BATCH_SIZE]):
        if QueuedEmail.objects.filter(pk=pk, due_at=due_at).update(due_at=moment + CLAIM_TIME):
            sent += _send(QueuedEmail.objects.get(pk=pk))
    return sent


def _send(email: QueuedEmail) -> bool:
    try:
        with override(first_supported(email.language)):
            is_reset = email.kind == QueuedEmail.Kind.RESET
            subject, body = _render_password_reset(email) if is_reset else (email.subject, email.body)
        send_mail(subject, body, None, [email.address])
    except OSError as error:  # SMTP errors are OSErrors: neither the address nor any text goes into the log
        log.warning("e-mail %s: %s", email.pk, type(error).__name__)
        delay = RETRY_DELAYS[min(email.attempts, len(RETRY_DELAYS) - 1)]
        QueuedEmail.objects.filter(pk=email.pk).update(due_at=timezone.now() + delay, attempts=email.attempts + 1)
        return False
    email.delete()
    return True


def _render_password_reset(email: QueuedEmail) -> tuple[str, str]:
    """The subject and body for the owner of the address: the link, or that no account has this address."""
    user = owner_of_email(email.address)
    host = urlsplit(email.site_url).netloc
    context: dict[str, object] = {"email": email.address, "current_site": SimpleNamespace(name="Tablero", domain=host)}
    if user is None or not user.is_active or user.is_guest or user.is_bot:
        context["signup_url"] = email.site_url + reverse("account_signup")
        return _render("account/email/unknown_account", context)
    url = email.site_url + password_reset_path(user=user)
    context.update(user=user, username=user.username, password_reset_url=url)
    return _render("account/email/password_reset_key", context)


def _render(name: str, context: dict[str, object]) -> tuple[str, str]:
    subject = " ".join(render_to_string(f"{name}_subject.txt", context).split())
    return subject, render_to_string(f"{name}_message.txt", context).strip() + "\n"
