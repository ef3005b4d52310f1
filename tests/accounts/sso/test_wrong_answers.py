"""Whatever the provider answers: a page in plain words, nobody is signed in, and no server error."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse

from accounts.models import User
from backgammon.ops import machine_checks
from tests.accounts.sso.browser import code_of, come_back, leave, link
from tests.services import oidc_provider
from tests.services.oidc_provider import OTHER_KEY, OIDCProvider
from tests.services.sso_site import single_sign_on

pytestmark = pytest.mark.django_db


WRONG = {
    "another nonce": {"claims": {"nonce": "of somebody else"}},
    "no nonce": {"claims": {"nonce": None}},
    "another issuer in the token": {"claims": {"iss": "https://evil.example"}},
    "another audience": {"claims": {"aud": "another site"}},
    "for another party, too": {"claims": {"azp": "another site"}},
    "no subject": {"claims": {"sub": ""}},
    "a subject that is a number": {"claims": {"sub": 7}},
    "a subject too long": {"claims": {"sub": "9" * 192}},
    "another key": {"key": OTHER_KEY},
    "no signature": {"algorithm": "none"},
    "a shared key": {"algorithm": "HS256"},
    "user info of another person": {"info": {"sub": "another"}},
    "user info that is a list": {"raw": {"/userinfo": "[]"}},
    "no token": {"raw": {"/token": "{}"}},
    "no ID token": {"raw": {"/token": '{"access_token": "x"}'}},
    "a token that is none": {"raw": {"/token": '{"access_token": "x", "id_token": "x.y.z"}'}},
    "a token that is a number": {"raw": {"/token": '{"access_token": "x", "id_token": 7}'}},
    "no keys": {"raw": {"/keys": "{}"}},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=list(WRONG))
def test_a_wrong_answer_signs_nobody_in(
    provider: OIDCProvider, client: Client, ana: User, wrong: dict[str, Any]
) -> None:
    link(ana)
    for name, value in wrong.items():
        setattr(provider, name, value)
    page = come_back(client)
    assert (page.status_code, code_of(page)) == (502, "sso_refused")
    assert not get_user(client).is_authenticated


@pytest.mark.parametrize("claims", [{"exp": 1_700_000_001}, {"iat": 4_000_000_000}])
def test_clocks_that_differ_are_said_in_plain_words(
    provider: OIDCProvider, client: Client, ana: User, claims: dict[str, Any]
) -> None:
    link(ana)
    provider.claims = claims
    page = come_back(client)
    assert (page.status_code, code_of(page)) == (400, "sso_clock")
    assert not get_user(client).is_authenticated


@pytest.mark.parametrize("claims", [{"exp": -30}, {"iat": 30}])
def test_half_a_minute_between_the_clocks_is_nothing(
    provider: OIDCProvider, client: Client, ana: User, claims: dict[str, int]
) -> None:
    link(ana)
    provider.claims = {name: int(time.time()) + seconds for name, seconds in claims.items()}
    come_back(client)
    assert get_user(client) == ana


@pytest.mark.parametrize(
    "config",
    [
        {"issuer": "https://evil.example"},
        {"token_endpoint": "http://evil.example/token"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"jwks_uri": None},
    ],
)
def test_a_wrong_discovery_document_leads_nowhere(
    provider: OIDCProvider, client: Client, config: dict[str, Any]
) -> None:
    provider.config = config
    page = client.post(reverse("sso-sign-in"))
    assert (page.status_code, code_of(page)) == (502, "sso_refused")


@pytest.mark.parametrize("path", ["/token", "/userinfo", "/keys"])
def test_a_provider_that_fails_on_the_way_back_is_said_in_plain_words(
    provider: OIDCProvider, client: Client, path: str
) -> None:
    provider.failing = {path}
    page = come_back(client)
    assert page.status_code == 502
    assert code_of(page) in ("sso_unavailable", "sso_refused")


def test_a_provider_on_a_busy_machine_is_waited_for(provider: OIDCProvider, client: Client, ana: User) -> None:
    link(ana)
    provider.pauses = {"/token": 6}
    come_back(client)
    assert get_user(client) == ana


def test_a_provider_that_is_down_is_said_in_the_visitor_s_language(client: Client) -> None:
    with single_sign_on():
        page = client.post(reverse("sso-sign-in"), headers={"Accept-Language": "es"})
    assert (page.status_code, code_of(page)) == (502, "sso_unavailable")
    assert "Club Norte no responde ahora" in page.content.decode()


def test_a_callback_that_nobody_began_or_that_comes_twice_is_refused(
    provider: OIDCProvider, client: Client, ana: User
) -> None:
    link(ana)
    back = oidc_provider.back_from(leave(client))
    assert code_of(Client().get(back)) == "sso_expired"  # another browser
    assert code_of(client.get(back.replace("state=", "state=x"))) == "sso_expired"
    assert client.get(back).status_code == 302
    assert code_of(client.get(back)) == "sso_expired"


def test_who_cancels_at_the_provider_can_start_again(provider: OIDCProvider, client: Client) -> None:
    state = re.findall(r"[?&]state=(\w+)", leave(client))[0]
    page = client.get(reverse("sso-callback"), {"state": state, "error": "access_denied"})
    assert (page.status_code, code_of(page)) == (400, "sso_cancelled")


def test_the_doctor_says_whether_the_provider_answers(provider: OIDCProvider, settings: Any) -> None:
    def found() -> tuple[str, str]:
        (finding,) = machine_checks.check_single_sign_on()
        return finding.state, finding.fact

    assert found() == ("ok", f"{provider.url} responds")
    provider.config = {"issuer": "https://another.example"}
    assert found() == ("bad", f"{provider.url} is not that OpenID Connect provider")
    settings.SSO_ISSUER = "http://127.0.0.1:9"
    assert found() == ("bad", "http://127.0.0.1:9 does not respond")
    settings.SSO_ISSUER = ""
    assert found() == ("ok", "single sign-on is off")
