"""How a bot says over the API who it is: ``Authorization: Bearer <token>``."""

from __future__ import annotations

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.bots import bearer, bot_of
from accounts.models import User


class BotAuthentication(BaseAuthentication):
    """The bot whose token the request carries. Without one, others may say who is asking."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        digest = bearer(request.headers.get("Authorization", ""))
        if digest is None:
            return None
        bot = bot_of(digest)
        if bot is None:
            raise AuthenticationFailed("This token is not good (any more).")
        return bot, None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class BotScheme(OpenApiAuthenticationExtension):
    """The same for the schema."""

    target_class = "accounts.tokens.BotAuthentication"
    name = "botToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
