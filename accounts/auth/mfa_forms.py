"""The forms of two-factor authentication, for passkeys and codes. Any input is accepted or refused, never an error."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import TOTP
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from accounts.auth import recovery_codes
from accounts.models import User
from accounts.web.encryption import DECRYPTION_ERRORS

log = logging.getLogger(__name__)

MAX_NAME_LENGTH = 40
MAX_CREDENTIAL_LENGTH = 16_000
UNREADABLE = gettext_lazy(
    "The site can no longer read your two-factor authentication data. Ask the site's staff to turn it off for you."
)


def _limit_name(form: Any) -> None:
    """Limit the length of the name."""
    if "name" in form.fields:
        form.fields["name"].max_length = MAX_NAME_LENGTH
        form.fields["name"].widget.attrs["maxlength"] = str(MAX_NAME_LENGTH)


def _cleaned_name(form: Any) -> str:
    name = " ".join(str(form.cleaned_data.get("name", "")).split())
    if len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise get_adapter().validation_error("incorrect_code")
    return name


class _SafeCredentialMixin:
    """Refuses as wrong what makes the library's parser fail, since no browser sends it."""

    data: Mapping[str, Any]

    def clean_credential(self) -> Authenticator:
        if len(str(self.data.get("credential", ""))) > MAX_CREDENTIAL_LENGTH:
            raise get_adapter().validation_error("incorrect_code")
        try:
            found: Authenticator = super().clean_credential()  # type: ignore[misc]
        except ValidationError:
            raise
        except Exception as error:
            raise get_adapter().validation_error("incorrect_code") from error
        return found


class ActivateCodeForm(ActivateTOTPForm):
    """Set up an authenticator app. The code that proves it counts as used: it signs nobody in."""

    def clean_code(self) -> str:
        code: str = super().clean_code()
        TOTP(Authenticator(user=self.user))._mark_code_used(code)
        return code


class AddPasskeyForm(AddWebAuthnForm):
    """Add a passkey, with a name of at most 40 characters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _limit_name(self)

    def clean_name(self) -> str:
        return _cleaned_name(self) or str(super().clean_name())

    def clean(self) -> dict[str, Any]:
        if len(str(self.data.get("credential", ""))) > MAX_CREDENTIAL_LENGTH:
            raise get_adapter().validation_error("incorrect_code")
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError:
            raise
        except Exception as error:
            raise get_adapter().validation_error("incorrect_code") from error
        return cleaned


class EditPasskeyForm(EditWebAuthnForm):
    """Rename a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _limit_name(self)

    def clean_name(self) -> str:
        return _cleaned_name(self)


class LoginPasskeyForm(_SafeCredentialMixin, LoginWebAuthnForm):
    """Sign in with a passkey alone."""


class AuthenticatePasskeyForm(_SafeCredentialMixin, AuthenticateWebAuthnForm):
    """Give the second factor while signing in."""


class ReauthenticatePasskeyForm(_SafeCredentialMixin, ReauthenticateWebAuthnForm):
    """Confirm who you are, while signed in."""


class _RecoveryCodeMixin:
    """Compares what is not the code of an app, which the library checks, with the hashes of the recovery codes."""

    user: User
    cleaned_data: dict[str, Any]
    _emit_authentication_failed: Callable[[Authenticator], None]

    def clean_code(self) -> str:
        try:
            return self._clean_code()
        except DECRYPTION_ERRORS:
            log.error("the second factor of user %s can be decrypted with no key of this site", self.user.pk)
            raise ValidationError(UNREADABLE, code="second_step_lost") from None

    def _clean_code(self) -> str:
        code = str(self.cleaned_data["code"])
        row = recovery_codes.recovery_codes_of(self.user)
        if row is None or recovery_codes.TOTP_CODE.fullmatch(code):
            return str(super().clean_code())  # type: ignore[misc]
        forget_attempts = check_rate_limit(self.user)
        if not recovery_codes.recovery_code_use(row=row, code=code):
            self._emit_authentication_failed(row)
            raise get_adapter().validation_error("incorrect_code")
        forget_attempts()
        self.authenticator = row
        return code


class AuthenticateCodeForm(_RecoveryCodeMixin, AuthenticateForm):
    """Give the second factor while signing in."""


class ReauthenticateCodeForm(_RecoveryCodeMixin, ReauthenticateForm):
    """Confirm who you are, while signed in."""
