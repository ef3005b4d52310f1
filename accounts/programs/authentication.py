"""REST framework's authentication classes: bearer tokens (accounts.programs.credentials) and browser sessions."""

from __future__ import annotations

from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import User
from accounts.programs.credentials import Credential, credential_from_header


class TokenAuthentication(authentication.BaseAuthentication):
    """Authenticates by bearer token, with the credential as `request.auth`; without a header a session may count."""

    def authenticate(self, request: Request) -> tuple[User, Credential] | None:
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        credential = credential_from_header(header)
        if credential is None:
            raise AuthenticationFailed
        return credential.user, credential

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class SessionAuthentication(authentication.SessionAuthentication):
    """Authenticates by the session of the site, with its CSRF token for everything that writes."""
