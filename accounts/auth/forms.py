"""The sign-up and password reset forms, which do not tell whether an e-mail address is known."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import ResetPasswordForm, SignupForm
from allauth.account.models import EmailAddress
from django.http import HttpRequest

from accounts.auth import mail_queue
from accounts.auth.email_ownership import owner_of_email
from accounts.models import User


class QueuedPasswordResetForm(ResetPasswordForm):
    """Queues a password reset: a worker looks up the address, and writes to its owner."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"])

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        address: str = self.cleaned_data["email"].lower()
        mail_queue.password_reset_enqueue(address=address, site_url=request.build_absolute_uri("/"))
        return address


class MemberSignupForm(SignupForm):
    """Signs up with any address: a new member sees no difference when another account has it.

    Then it stays an unverified claim: nobody signs in by it, and the site writes nothing to it but that it was entered
    here.
    """

    def save(self, request: HttpRequest) -> User:
        address = self.cleaned_data.get("email", "")
        if not address or owner_of_email(address) is None:
            user: User = super().save(request)
            return user
        self.cleaned_data["email"] = ""
        user = super().save(request)
        EmailAddress.objects.create(user=user, email=address.lower(), primary=True)
        self.cleaned_data["email"] = address
        return user
