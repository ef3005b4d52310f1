"""“Is it you?”: the doors of allauth where one shows again who one is. Each time the log-in gets another key.

ASVS 5.0, 7.2.4: a key that was read from somewhere before is worth nothing after it. Boards that are open in other
pages are put out within half a minute, and come in again by themselves with the new key.
"""

from __future__ import annotations

from typing import Any

from allauth.account.views import BaseReauthenticateView, ReauthenticateView
from allauth.mfa.base.views import ReauthenticateView as ByCode
from allauth.mfa.webauthn.views import ReauthenticateWebAuthnView as ByPasskey
from django.http import HttpResponse

from accounts import log_ins


class _Rekeying(BaseReauthenticateView):  # type: ignore[misc]
    """Comes after what a door writes down of how it was shown, and before what had been asked for is done."""

    def form_valid(self, form: Any) -> HttpResponse:
        log_ins.log_in_rekey(self.request.session)
        answer: HttpResponse = super().form_valid(form)
        return answer


class PasswordAgain(ReauthenticateView, _Rekeying):  # type: ignore[misc]
    """By the password."""


class CodeAgain(ByCode, _Rekeying):  # type: ignore[misc]
    """By a code of the app, or one on paper."""


class PasskeyAgain(ByPasskey, _Rekeying):  # type: ignore[misc]
    """By a passkey."""
