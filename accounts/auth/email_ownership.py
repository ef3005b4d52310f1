"""Who owns an e-mail address: the account that verified it, else the first that claimed it."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.db import transaction

from accounts.models import User


def owner_of_email(address: str) -> User | None:
    """Resolve an e-mail address to its verified owner, else its first claimant.

    Always two queries, even where the first has found the account: the time taken must tell nothing.
    """
    verified = EmailAddress.objects.select_related("user").filter(email=address.lower(), verified=True).first()
    claimant = User.objects.filter(email__iexact=address).exclude(email="").first()
    return verified.user if verified is not None else claimant


def is_confirmed(address: str) -> bool:
    """Whether an account has confirmed that the address is its own."""
    return EmailAddress.objects.filter(email=address.lower(), verified=True).exists()


def email_assign(*, address: str, to: User) -> None:
    """Make `to`, who verified the address, its owner: accounts that only claimed it lose it."""
    with transaction.atomic():
        User.objects.filter(email__iexact=address).exclude(pk=to.pk).update(email="")
        EmailAddress.objects.filter(email=address.lower(), verified=False).exclude(user=to).delete()
