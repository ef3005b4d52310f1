"""Whose an e-mail address is: his who has shown it, else his who gave it first."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.db import transaction

from accounts.models import User


def holder_of(address: str) -> User | None:
    """The one account that an address leads to. Two queries, also where the first has found it: time tells nothing."""
    shown = EmailAddress.objects.select_related("user").filter(email=address.lower(), verified=True).first()
    given = User.objects.filter(email__iexact=address).exclude(email="").first()
    return shown.user if shown is not None else given


def address_release(*, address: str, to: User) -> None:
    """Who shows that an address is his has it: it is taken from accounts that only said so."""
    with transaction.atomic():
        User.objects.filter(email__iexact=address).exclude(pk=to.pk).update(email="")
        EmailAddress.objects.filter(email=address.lower(), verified=False).exclude(user=to).delete()
