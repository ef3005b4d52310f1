"""How a program says over the API who it is: ``Authorization: Bearer <token>`` (accounts.programs)."""

from __future__ import annotations

from rest_framework import authentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import User
from accounts.programs import Grant, grant_of


class TokenAuthentication(authentication.BaseAuthentication):
    """Whose token the request carries, and what it opens (`request.auth`). Without one, a session may say who asks."""

    def authenticate(self, request: Request) -> tuple[User, Grant] | None:
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        grant = grant_of(header)
        if grant is None:
            raise AuthenticationFailed
        return grant.user, grant

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class SessionAuthentication(authentication.SessionAuthentication):
    """A log-in of the site, with its CSRF token for everything that writes."""
