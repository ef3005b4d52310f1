"""Reauthentication ("Confirm it's you"): allauth's views, which give the session another key each time.

ASVS 5.0, 7.2.4: a key that was read from somewhere before is invalid afterwards. Boards that are open in other pages
are disconnected within half a minute, and reconnect by themselves with the new key.
"""

from __future__ import annotations

from typing import Any

from allauth.account.views import BaseReauthenticateView, ReauthenticateView
from allauth.mfa.base.views import ReauthenticateView as MFAReauthenticateView
from allauth.mfa.webauthn.views import ReauthenticateWebAuthnView
from django.http import HttpResponse

from accounts.auth import services as auth_services


class _RotateSessionKeyMixin(BaseReauthenticateView):  # type: ignore[misc]
    """Rotates the session key after allauth has recorded the method, and before the pending act is carried out."""

    def form_valid(self, form: Any) -> HttpResponse:
        auth_services.session_rotate_key(self.request.session)
        response: HttpResponse = super().form_valid(form)
        return response


class PasswordReauthenticateView(ReauthenticateView, _RotateSessionKeyMixin):  # type: ignore[misc]
    """Reauthenticate by password."""


class CodeReauthenticateView(MFAReauthenticateView, _RotateSessionKeyMixin):  # type: ignore[misc]
    """Reauthenticate by a code of the app, or a recovery code."""


class PasskeyReauthenticateView(ReauthenticateWebAuthnView, _RotateSessionKeyMixin):  # type: ignore[misc]
    """Reauthenticate by passkey."""
