"""Single sign-on: people sign in with their account at another site, the club's OpenID Connect provider.

Off unless `settings.SSO_ISSUER` is set. allauth.socialaccount speaks the protocol (docs/adr/0034): the code flow with
state and PKCE. This module adds what it leaves out: a nonce, the signature of the ID token in any case, and that the
issuer, the endpoints and the subject are the expected ones. Of the claims only a label is stored.
"""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import dataclass
from typing import Any

import jwt
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.internal import jwtkit, statekit
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.utils import build_absolute_uri
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from requests import RequestException

from accounts.auth.linked_accounts import account_link_by_email
from accounts.errors import Refused
from accounts.models import User
from backgammon.secure_url import is_secure_url

log = logging.getLogger(__name__)

PENDING_KEY = "sso_sign_up"
"""In the session: who has signed in at the provider, and has no account here yet."""
PENDING_SECONDS = 900
"""For so long a new person may choose a username; then the next one at this computer has to start again."""
LEEWAY = 60
"""Seconds by which the clocks of the provider and of this site may differ."""
ALGORITHMS = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
"""Of signatures of ID tokens: only those with a public key."""
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
MAX_SUBJECT = 191  # characters, in the database
MAX_LABEL = 254
WRONG_CLOCK = (jwt.ExpiredSignatureError, jwt.ImmatureSignatureError)
UNUSABLE = (OAuth2Error, jwt.PyJWTError, ImproperlyConfigured, LookupError, ValueError, TypeError, AttributeError)
"""What allauth and its libraries raise where a provider answers what the protocol does not allow."""


@dataclass(frozen=True)
class Identity:
    """A person who is signed in at the provider: `subject` is their stable name there, the rest is for reading."""

    subject: str
    label: str
    username: str
    email: str
    email_verified: bool


def provider_name() -> str:
    """The name of the provider, on buttons; empty while single sign-on is off."""
    return str(settings.SSO_NAME) if settings.SSO_ISSUER else ""


def refused(code: str) -> Refused:
    """A refusal that names the provider."""
    return Refused(code, params={"name": provider_name()})


class ProviderAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Allauth's client of one provider; `nonce` is that of the request that the provider answers."""

    nonce = ""

    @property
    def openid_config(self) -> dict[str, Any]:
        """What the provider says about itself. Raises OAuth2Error if it is another one, or an endpoint is not https."""
        config: dict[str, Any] = super().openid_config
        if str(config["issuer"]).rstrip("/") != settings.SSO_ISSUER:
            raise OAuth2Error("another issuer")
        present = [*ENDPOINTS, *(["userinfo_endpoint"] if config.get("userinfo_endpoint") else [])]
        if not all(is_secure_url(str(config[name])) for name in present):
            raise OAuth2Error("an endpoint without https")
        return config

    @property
    def basic_auth(self) -> bool:
        """Whether the secret goes into the header, which is the standard where the provider names no method."""
        return "client_secret_post" not in self.openid_config.get("token_endpoint_auth_methods_supported", [])

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return str(build_absolute_uri(request, reverse("sso-callback")))

    def complete_login(self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any) -> SocialLogin:
        """Check the ID token, and add what only the other endpoint of the provider says about the same person."""
        claims = self._decode_id_token(app, kwargs["response"]["id_token"])
        if not self.nonce or not secrets.compare_digest(str(claims.get("nonce", "")).encode(), self.nonce.encode()):
            raise OAuth2Error("another nonce")
        if claims.get("azp", app.client_id) != app.client_id:
            raise OAuth2Error("a token for another site")
        if not isinstance(claims["sub"], str) or not 0 < len(claims["sub"]) <= MAX_SUBJECT or "\0" in claims["sub"]:
            raise OAuth2Error("no subject")
        if self.openid_config.get("userinfo_endpoint"):
            info = self._fetch_user_info(token.token)
            if info["sub"] != claims["sub"]:
                raise OAuth2Error("another subject")
            claims = {**info, **claims}
        return self.get_provider().sociallogin_from_response(request, claims)

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        """The claims of an ID token that the provider has signed for this site, and that is valid now."""
        if jwt.get_unverified_header(id_token).get("alg") not in ALGORITHMS:
            raise OAuth2Error("an algorithm without a public key")
        algorithm, key = jwtkit.fetch_key(id_token, self.openid_config["jwks_uri"], jwtkit.lookup_kid_jwk)
        claims: dict[str, Any] = jwt.decode(
            id_token,
            key,
            algorithms=[algorithm],
            issuer=self.openid_config["issuer"],
            audience=app.client_id,
            leeway=LEEWAY,
            options={"require": ["exp", "iat", "sub"]},
        )
        return claims


class Provider(OpenIDConnectProvider):  # type: ignore[misc]
    """The provider of the settings; accounts there are known by its issuer."""

    oauth2_adapter_class = ProviderAdapter

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        return {"label": str(data.get("preferred_username") or data.get("email") or data["sub"])[:MAX_LABEL]}

    def extract_common_fields(self, data: dict[str, Any]) -> dict[str, Any]:
        username = data.get("preferred_username") or data.get("nickname") or data.get("name")
        texts = {"username": username, "email": data.get("email")}
        return {key: value for key, value in texts.items() if isinstance(value, str)}

    def extract_email_addresses(self, data: dict[str, Any]) -> list[EmailAddress]:
        """The address; it counts as verified only where the provider says so in so many words."""
        if not isinstance(data.get("email"), str):
            return []
        verified = data.get("email_verified") in (True, "true")
        return [EmailAddress(email=data["email"], verified=verified, primary=True)]


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Allauth with the one provider of the settings: its tables of providers and tokens stay empty."""

    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Provider:
        app = SocialApp(
            provider=Provider.id,
            provider_id=settings.SSO_ISSUER,
            name=provider_name(),
            client_id=settings.SSO_CLIENT_ID,
            secret=settings.SSO_CLIENT_SECRET,
            settings={"server_url": settings.SSO_ISSUER, "oauth_pkce_enabled": True},
        )
        return Provider(request, app=app)

    def new_user(self, request: HttpRequest, sociallogin: SocialLogin) -> User:
        """A blank user: a guest keeps their row when they have chosen a name (accounts.auth.adapter)."""
        return User()

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Let whoever has no account here choose a username first.

        An account here with the same address is linked only where the admin wants that. Raises
        Refused("sso_unverified") where the provider has not verified the address of a new person.
        """
        if sociallogin.is_existing:
            return
        identity = identity_of(sociallogin)
        if not identity.email_verified:
            raise refused("sso_unverified")
        if settings.SSO_LINK_BY_EMAIL and account_link_by_email(
            email=identity.email, subject=identity.subject, label=identity.label
        ):
            sociallogin.lookup()
            return
        request.session[PENDING_KEY] = {"login": sociallogin.serialize(), "until": time.time() + PENDING_SECONDS}
        raise ImmediateHttpResponse(redirect("sso-sign-up"))


def authorization_url(request: HttpRequest, *, process: AuthProcess, next_url: str | None = None) -> str:
    """Where the browser goes to sign in at the provider. Raises Refused if the provider does not answer rightly."""
    nonce = secrets.token_urlsafe(24)
    user_id = request.user.pk if process == AuthProcess.CONNECT else None
    provider = _adapter(request).get_provider()
    try:
        response = provider.redirect(
            request, process, next_url, auth_params={"nonce": nonce}, nonce=nonce, user_id=user_id
        )
        return str(response.headers["Location"])
    except RequestException as error:
        raise _unavailable(error) from error
    except UNUSABLE as error:
        raise _unusable(error) from error


def login_from_callback(request: HttpRequest) -> SocialLogin:
    """Read the answer of the provider that the browser has brought. Raises Refused if it is not a right one."""
    adapter = _adapter(request)
    state = statekit.unstash_state(request, provider_id=settings.SSO_ISSUER, state_id=request.GET.get("state", ""))
    if state is None or (state["process"] == AuthProcess.CONNECT and state["user_id"] != request.user.pk):
        raise refused("sso_expired")
    if request.GET.get("error") == "access_denied":
        raise refused("sso_cancelled")
    if "error" in request.GET or not request.GET.get("code"):
        log.warning("the provider of single sign-on answers with an error")
        raise refused("sso_refused")
    adapter.nonce = state["nonce"]
    try:
        app = adapter.get_provider().app
        client = adapter.get_client(request, app)
        answer = adapter.get_access_token_data(request, app, client, pkce_code_verifier=state["pkce_code_verifier"])
        login = adapter.complete_login(request, app, adapter.parse_token(answer), response=answer)
    except RequestException as error:
        raise _unavailable(error) from error
    except WRONG_CLOCK as error:
        log.warning("an answer of the provider of single sign-on is of another time: %s", type(error).__name__)
        raise refused("sso_clock") from error
    except UNUSABLE as error:
        raise _unusable(error) from error
    login.state = state
    return login


def pending_sign_up(request: HttpRequest) -> SocialLogin | None:
    """Who has signed in at the provider a moment ago, and chooses a username here."""
    pending = request.session.get(PENDING_KEY)
    if not pending or pending["until"] < time.time():
        return None
    return SocialLogin.deserialize(pending["login"])


def identity_of(login: SocialLogin) -> Identity:
    """What of a sign-in at the provider the site uses."""
    address = login.email_addresses[0] if login.email_addresses else EmailAddress()
    return Identity(
        subject=login.account.uid,
        label=login.account.extra_data["label"],
        username=login.user.username,
        email=address.email,
        email_verified=address.verified,
    )


def provider_fault() -> str | None:
    """Ask the provider what it says about itself: nothing, or the code of what is wrong (`manage.py doctor`)."""
    try:
        return None if _adapter(HttpRequest()).openid_config else "sso_refused"
    except RequestException as error:
        return _unavailable(error).code
    except UNUSABLE as error:
        return _unusable(error).code


def _adapter(request: HttpRequest) -> ProviderAdapter:
    return ProviderAdapter(request, settings.SSO_ISSUER)


def _unavailable(error: Exception) -> Refused:
    log.warning("the provider of single sign-on does not respond: %s", type(error).__name__)
    return refused("sso_unavailable")


def _unusable(error: Exception) -> Refused:
    log.warning("an answer of the provider of single sign-on is not valid: %s", type(error).__name__)
    return refused("sso_refused")
