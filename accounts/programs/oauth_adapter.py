"""The adapter of allauth.idp (OAuth 2 and OpenID Connect): scopes, claims, and the site's signing key.

Apps are registered by the staff, in the admin. An app asks for scopes of ours, and a user grants all or some of them;
the access token lasts an hour and is renewed by a refresh token that is used once (accounts.programs.oauth_grants).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.models import Client, PrivateKey
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.programs.scopes import SCOPES
from backgammon import key_files

KEY_BITS = 3072


class ClientAdapter(DefaultOIDCAdapter):
    """Allauth's OpenID provider with our scopes, claims and key."""

    scope_display = {
        **SCOPES,
        "openid": _("Know who you are on this site"),
        "email": _("See your e-mail address"),
        "profile": _("See your name"),
    }

    def list_private_keys(self, **wanted: Any) -> list[PrivateKey]:
        """The key that signs ID tokens; the site has one, created when it is first needed."""
        return [PrivateKey(pem=signing_key())]

    def get_claims(self, purpose: Any, user: Any, client: Client, scopes: Any, email: str | None = None, **kwargs: Any):  # type: ignore[no-untyped-def]
        """The claims about a user: the username, and the e-mail address if granted, but no other name."""
        claims = super().get_claims(purpose, user, client, scopes, email=email, **kwargs)
        hidden = ("name", "given_name", "family_name")
        return {key: value for key, value in claims.items() if key not in hidden}

    def get_user_by_sub(self, client: Client, sub: str) -> User | None:
        found = super().get_user_by_sub(client, sub)
        return found if isinstance(found, User) and not (found.is_guest or found.is_bot) else None

    def populate_server_metadata(self, data: dict[str, Any]) -> None:
        """Announce authorisation codes with PKCE, and our scopes."""
        data["scopes_supported"] = ["openid", "profile", "email", *SCOPES]
        data["response_types_supported"] = ["code"]
        data["grant_types_supported"] = [Client.GrantType.AUTHORIZATION_CODE, Client.GrantType.REFRESH_TOKEN]


@cache
def signing_key() -> str:
    """The site's key for OpenID Connect: from the environment, else one created once and stored in `var/`."""
    return settings.OIDC_PRIVATE_KEY or key_files.read_or_create(settings.VAR_DIR / "oidc_key.pem", _new_key)


def _new_key() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return pem.decode()
