"""The sign-up and password reset forms, which do not tell whether an e-mail address is known."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import ResetPasswordForm, SignupForm
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.webauthn.internal import auth as webauthn
from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.auth import mail_queue
from accounts.auth.email_ownership import is_confirmed, owner_of_email
from accounts.auth.linked_accounts import account_link
from accounts.auth.mfa_forms import MAX_CREDENTIAL_LENGTH
from accounts.auth.sso import Identity
from accounts.models import User
from accounts.users.name_availability import suggest_name


class QueuedPasswordResetForm(ResetPasswordForm):
    """Queues a password reset: a worker looks up the address, and writes to its owner."""

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"])

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        address: str = self.cleaned_data["email"].lower()
        mail_queue.password_reset_enqueue(address=address, site_url=request.build_absolute_uri("/"))
        return address


SIGNUP_ATTRIBUTES = {
    "username": {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"},
    "email": {"autocomplete": "email"},
    "password1": {"autocomplete": "new-password", "aria-describedby": "password-need"},
}


class MemberSignupForm(SignupForm):
    """Signs up with any address: a new member sees no difference when another account has it.

    Then it stays an unverified claim: nobody signs in by it, and the site writes nothing to it but that it was entered
    here. One line says what a password needs; what else is wrong with it is said when it is typed.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        for name, attributes in SIGNUP_ATTRIBUTES.items():
            if name in self.fields:
                self.fields[name].widget.attrs |= attributes
                self.fields[name].help_text = ""

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


class SsoSignupForm(MemberSignupForm):
    """Signs up somebody who is signed in at the provider of single sign-on: without a password, and linked to it.

    The provider has verified the address: it counts here if it was left as it is, and no other account has verified it.
    """

    def __init__(self, *args: Any, identity: Identity, **kwargs: Any) -> None:
        email = "" if is_confirmed(identity.email) else identity.email
        initial = {"username": suggest_name(identity.username), "email": email}
        super().__init__(*args, **{**kwargs, "by_passkey": True, "initial": initial})
        self.by_passkey = False  # that was about the password
        self.identity = identity

    def save(self, request: HttpRequest) -> User:
        user = super().save(request)
        account_link(user=user, subject=self.identity.subject, label=self.identity.label)
        address = EmailAddress.objects.filter(user=user, email=self.identity.email.lower()).first()
        if address is not None and address.can_set_verified():
            get_adapter().confirm_email(request, address)
        return user


class PasskeySignupForm(MemberSignupForm):
    """Signs up with a passkey in place of a password: `credential` is what the browser made for the visitor's row."""

    credential = forms.JSONField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "by_passkey": True})

    def clean_credential(self) -> Any:
        """The credential, if it answers the challenge of this session and verified its user. Raises ValidationError."""
        credential = self.cleaned_data["credential"]
        refused = get_mfa_adapter().validation_error("incorrect_code")
        if len(str(self.data.get("credential", ""))) > MAX_CREDENTIAL_LENGTH:
            raise refused
        try:
            webauthn.parse_registration_response(credential)
            verified = webauthn.complete_registration(credential).is_user_verified()
        except ValidationError:
            raise
        except Exception as error:  # the library's parser fails on what no browser sends
            raise refused from error
        if not verified:
            raise refused
        return credential
