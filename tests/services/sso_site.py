"""The site with single sign-on: the settings that a site has whose provider is set."""

from __future__ import annotations

from django.test import override_settings


def single_sign_on(
    issuer: str = "http://127.0.0.1:9", client_id: str = "tablero", secret: str = "-", *, link_by_email: bool = False
) -> override_settings:
    """Switch single sign-on on, with a provider that nobody reaches if no other is named."""
    return override_settings(
        SSO_ISSUER=issuer,
        SSO_CLIENT_ID=client_id,
        SSO_CLIENT_SECRET=secret,
        SSO_NAME="Club Norte",
        SSO_LINK_BY_EMAIL=link_by_email,
    )
