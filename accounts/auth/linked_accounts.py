"""Link accounts of this site to accounts at the OpenID Connect provider. The only writer of `SocialAccount`.

An account there is named by its issuer and its subject ("sub"), never by its e-mail address.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import IntegrityError, transaction

from accounts.auth.services import sessions_end
from accounts.errors import Refused
from accounts.models import User

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class LinkedAccount:
    """An account at the provider, as its owner knows it."""

    label: str


def linked_account_of(user: User) -> LinkedAccount | None:
    """The user's account at the present provider. One query."""
    row = SocialAccount.objects.filter(user=user, provider=settings.SSO_ISSUER).first()
    return None if row is None else LinkedAccount(str(row.extra_data.get("label") or row.uid))


def account_link(*, user: User, subject: str, label: str) -> None:
    """Link a user to an account at the provider; doing it again only renews the label.

    Raises Refused("sso_linked_elsewhere") if it is another user's, Refused("sso_one") if the user has another one.
    """
    name = {"name": settings.SSO_NAME}
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        rows = SocialAccount.objects.filter(provider=settings.SSO_ISSUER)
        row = rows.filter(uid=subject).first()
        if row is not None and row.user_id != user.pk:
            raise Refused("sso_linked_elsewhere", params=name)
        if row is None and rows.filter(user=user).exists():
            raise Refused("sso_one", params=name)
        if row is None:
            row = SocialAccount(user=user, provider=settings.SSO_ISSUER, uid=subject)
        row.extra_data = {"label": label}
        try:
            with transaction.atomic():
                row.save()
        except IntegrityError:  # linked to another user at the same moment
            raise Refused("sso_linked_elsewhere", params=name) from None
    log.info("user %s is linked to an account of single sign-on", user.pk)


def account_link_by_email(*, email: str, subject: str, label: str) -> bool:
    """Link the member who has confirmed this address, which the provider has verified too. Returns whether it did.

    Staff are left out, since whoever runs the provider could take their rights; so is who is linked to another account.
    """
    address = EmailAddress.objects.select_related("user").filter(email=email.lower(), verified=True).first()
    if address is None or address.user.is_staff or address.user.is_superuser:
        return False
    try:
        account_link(user=address.user, subject=subject, label=label)
    except Refused:
        return False
    return True


def account_unlink(*, user: User, session_key: str | None) -> None:
    """Unlink a user from the provider, and end all their sessions but the one with `session_key`.

    Raises Refused("sso_last") where they could not sign in any more, Refused("sso_not_linked") without a link.
    """
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        linked = SocialAccount.objects.filter(user=user, provider=settings.SSO_ISSUER)
        if not linked.exists():
            raise Refused("sso_not_linked", params={"name": settings.SSO_NAME})
        passkeys = Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN)
        if not locked.has_usable_password() and not passkeys.exists():
            raise Refused("sso_last")
        linked.delete()
        sessions_end(user=user, keep=session_key, everywhere=False)
    log.info("user %s is no longer linked to an account of single sign-on", user.pk)
