"""What is shown at a second step: a passkey, or digits. Whatever comes, it is good or refused, and never an error."""

from __future__ import annotations

import logging
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.base.internal.flows import check_rate_limit
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from accounts import paper
from accounts.box import WRONG_KEY
from accounts.models import User

log = logging.getLogger(__name__)

NAME = 40
CREDENTIAL = 16_000
LOST = gettext_lazy("The site can no longer read your second step. Ask who looks after it to take it away.")


def _short(form: Any) -> None:
    """What a name and a credential may be at most."""
    if "name" in form.fields:
        form.fields["name"].max_length = NAME
        form.fields["name"].widget.attrs["maxlength"] = str(NAME)


def _name(form: Any) -> str:
    name = " ".join(str(form.cleaned_data.get("name", "")).split())
    if len(name) > NAME or not name.isprintable():
        raise get_adapter().validation_error("incorrect_code")
    return name


class _Careful:
    """The library's parser trips over what no browser sends: that is a wrong answer, too."""

    def clean_credential(self) -> Authenticator:
        if len(str(self.data.get("credential", ""))) > CREDENTIAL:  # type: ignore[attr-defined]
            raise get_adapter().validation_error("incorrect_code")
        try:
            found: Authenticator = super().clean_credential()  # type: ignore[misc]
        except ValidationError:
            raise
        except Exception as error:
            raise get_adapter().validation_error("incorrect_code") from error
        return found


class AddPasskeyForm(AddWebAuthnForm):
    """A new passkey, with a name of at most forty letters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _short(self)

    def clean_name(self) -> str:
        return _name(self) or str(super().clean_name())

    def clean(self) -> dict[str, Any]:
        if len(str(self.data.get("credential", ""))) > CREDENTIAL:
            raise get_adapter().validation_error("incorrect_code")
        try:
            cleaned: dict[str, Any] = super().clean()
        except ValidationError:
            raise
        except Exception as error:
            raise get_adapter().validation_error("incorrect_code") from error
        return cleaned


class EditPasskeyForm(EditWebAuthnForm):
    """Another name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _short(self)

    def clean_name(self) -> str:
        return _name(self)


class LoginPasskeyForm(_Careful, LoginWebAuthnForm):
    """In by a passkey alone."""


class UsePasskeyForm(_Careful, AuthenticateWebAuthnForm):
    """The second step of a log-in."""


class ReauthenticatePasskeyForm(_Careful, ReauthenticateWebAuthnForm):
    """It is still you."""


class _OnPaperToo:
    """The digits of an app are the library's business; anything else is compared with the hashes of codes on paper."""

    def clean_code(self) -> str:
        try:
            return self._clean_code()
        except WRONG_KEY:
            user: User = self.user  # type: ignore[attr-defined]
            log.error("the second step of user %s opens with no key of this site", user.pk)
            raise ValidationError(LOST, code="second_step_lost") from None

    def _clean_code(self) -> str:
        code = str(self.cleaned_data["code"])  # type: ignore[attr-defined]
        row = paper.row_of(self.user)  # type: ignore[attr-defined]
        if row is None or paper.OF_AN_APP.fullmatch(code):
            return str(super().clean_code())  # type: ignore[misc]
        forget_tries = check_rate_limit(self.user)  # type: ignore[attr-defined]
        if not paper.code_use(row=row, code=code):
            self._emit_authentication_failed(row)  # type: ignore[attr-defined]
            raise get_adapter().validation_error("incorrect_code")
        forget_tries()
        self.authenticator = row
        return code


class UseCodeForm(_OnPaperToo, AuthenticateForm):
    """The second step of a log-in."""


class ReauthenticateCodeForm(_OnPaperToo, ReauthenticateForm):
    """It is still you."""
