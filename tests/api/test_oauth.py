"""OAuth apps: consent, PKCE, refresh and revocation."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.idp.oidc.models import Client as Program
from allauth.idp.oidc.models import Token
from django.test import Client
from django.utils import timezone as clock

from accounts.models import OAuthGrant, UsedOAuthToken, User
from accounts.programs import oauth_grants
from accounts.users import services as users

pytestmark = pytest.mark.django_db
AUTHORIZE, TOKEN, REVOKE = "/identity/o/authorize", "/identity/o/api/token", "/identity/o/api/revoke"
BACK = "https://board.example/back"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
Browser = Callable[..., Client]


@pytest.fixture
def board() -> Program:
    """A public client of another user."""
    return Program.objects.create(
        id="board",
        name="Board & Cup",
        type=Program.Type.PUBLIC,
        scopes="openid\nread\nplay\nclub",
        redirect_uris=BACK,
        grant_types="authorization_code\nrefresh_token",
    )


def parameters(**more: str) -> dict[str, str]:
    return {
        "client_id": "board",
        "response_type": "code",
        "redirect_uri": BACK,
        "scope": "read play",
        "state": "s1",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **more,
    }


def authorise(client: Client, *scopes: str, **more: str) -> str:
    """The authorisation code of the redirect."""
    page = client.get(AUTHORIZE, parameters(**more))
    assert page.status_code == 200
    signed = re.search(r'name="request" value="([^"]+)"', page.content.decode())
    assert signed is not None
    answer = client.post(AUTHORIZE, {"request": signed[1], "scopes": scopes, "action": "grant"})
    location = urlsplit(answer.headers["Location"])
    assert f"{location.scheme}://{location.netloc}{location.path}" == BACK
    query = parse_qs(location.query)
    assert query["state"] == ["s1"]
    return query["code"][0]


def tokens(code: str, verifier: str = VERIFIER) -> dict[str, str]:
    body = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "client_id": "board"}
    return dict(Client().post(TOKEN, {**body, "code_verifier": verifier}).json())


def renewed(refresh: str) -> dict[str, str]:
    body = {"grant_type": "refresh_token", "refresh_token": refresh, "client_id": "board"}
    return dict(Client().post(TOKEN, body).json())


def asks(access: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {access}", "Accept-Language": "en"})


def test_an_app_has_exactly_the_granted_scopes(ana: User, board: Program, browser_of: Browser) -> None:
    granted = tokens(authorise(browser_of(ana), "read"))
    assert (granted["token_type"], granted["scope"], granted["expires_in"]) == ("Bearer", "read", 3600)
    program = asks(granted["access_token"])
    assert program.get("/api/v1/me/").json() == {"name": "ana", "kind": "member", "scopes": ["read"], "token": "oauth"}
    assert program.put("/api/v1/clubs/tablero/membership/").json()["code"] == "scope"


def test_the_consent_page_names_the_app_and_allows_the_form_to_redirect(
    ana: User, board: Program, browser_of: Browser
) -> None:
    page = browser_of(ana).get(AUTHORIZE, parameters())
    text = page.content.decode()
    assert "Board &amp; Cup" in text
    assert "Play for you" in text
    assert "form-action 'self' https://board.example" in page.headers["Content-Security-Policy"]


def test_consent_is_asked_even_if_the_client_is_set_to_skip_it(ana: User, board: Program, browser_of: Browser) -> None:
    Program.objects.update(skip_consent=True)
    assert "Board &amp; Cup" in browser_of(ana).get(AUTHORIZE, parameters()).content.decode()


def test_anonymous_users_sign_in_first_and_guests_sign_up(board: Program, browser_of: Browser) -> None:
    assert "login" in browser_of().get(AUTHORIZE, parameters()).headers["Location"]
    guest = browser_of(users.guest_create()).get(AUTHORIZE, parameters())
    assert "signup" in guest.headers["Location"]


def test_pkce_is_required(ana: User, board: Program, browser_of: Browser) -> None:
    for more in ({"code_challenge": ""}, {"code_challenge_method": "plain"}):
        assert browser_of(ana).get(AUTHORIZE, parameters(**more)).status_code == 400
    code = authorise(browser_of(ana), "read")
    assert tokens(code, verifier="w" * 64)["error"] == "invalid_grant"


def test_a_code_works_once_and_its_reuse_revokes_the_tokens(ana: User, board: Program, browser_of: Browser) -> None:
    code = authorise(browser_of(ana), "read")
    first = tokens(code)
    assert asks(first["access_token"]).get("/api/v1/me/").status_code == 200
    assert tokens(code)["error"] == "invalid_grant"
    assert asks(first["access_token"]).get("/api/v1/me/").status_code == 401
    assert renewed(first["refresh_token"])["error"] == "invalid_grant"


def test_a_code_sent_without_its_verifier_is_not_used_up(ana: User, board: Program, browser_of: Browser) -> None:
    code = authorise(browser_of(ana), "read")
    assert tokens(code, verifier="w" * 64)["error"] == "invalid_grant"
    assert "access_token" in tokens(code)


@pytest.mark.parametrize("more", [{"redirect_uri": "https://evil.example/"}, {"client_id": "nobody"}])
def test_an_unregistered_redirect_uri_is_refused(
    ana: User, board: Program, browser_of: Browser, more: dict[str, str]
) -> None:
    answer = browser_of(ana).get(AUTHORIZE, parameters(**more))
    assert answer.status_code == 400
    assert "evil.example" not in answer.headers.get("Location", "")


@pytest.mark.parametrize("bad", ["http://[::1", "https://[x]/"])
def test_an_invalid_redirect_uri_is_refused_on_the_pages(
    ana: User, board: Program, browser_of: Browser, bad: str
) -> None:
    client = browser_of(ana)
    leaving = {"client_id": "board", "post_logout_redirect_uri": bad}
    for answer in (
        client.get(AUTHORIZE, parameters(resource=bad)),
        client.get(AUTHORIZE, parameters(redirect_uri=bad)),
        client.get("/identity/o/logout", leaving),
        client.post("/identity/o/logout", leaving),
    ):
        assert answer.status_code == 400
        assert "sent an invalid URL" in answer.content.decode()


@pytest.mark.parametrize("bad", ["http://[::1", "https://[x]/", "[]", "https://board.example/#part"])
def test_an_invalid_redirect_uri_is_refused_by_the_token_endpoint_and_uses_nothing_up(
    ana: User, board: Program, browser_of: Browser, bad: str
) -> None:
    client = browser_of(ana)
    assert client.get(AUTHORIZE, parameters(resource=bad)).status_code == 400
    code = authorise(client, "read")
    body = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "client_id": "board"}
    answer = Client().post(TOKEN, {**body, "code_verifier": VERIFIER, "resource": bad})
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid_request"})
    device = Client().post("/identity/o/api/device/code", {"client_id": "board", "resource": bad})
    assert (device.status_code, device.json()) == (400, {"error": "invalid_request"})
    assert "access_token" in tokens(code)


def test_a_denial_is_reported_to_the_app(ana: User, board: Program, browser_of: Browser) -> None:
    client = browser_of(ana)
    signed = re.search(r'name="request" value="([^"]+)"', client.get(AUTHORIZE, parameters()).content.decode())
    assert signed is not None
    answer = client.post(AUTHORIZE, {"request": signed[1], "action": "cancel"})
    assert answer.headers["Location"].startswith(f"{BACK}?error=access_denied")


def test_a_refresh_token_works_once(ana: User, board: Program, browser_of: Browser) -> None:
    first = tokens(authorise(browser_of(ana), "read"))
    second = renewed(first["refresh_token"])
    assert asks(second["access_token"]).get("/api/v1/me/").status_code == 200
    assert int(second["refresh_expires_in"]) == pytest.approx(90 * 86_400, abs=60)


def test_reusing_a_refresh_token_revokes_its_grant_and_nothing_else(
    ana: User, bea: User, board: Program, browser_of: Browser
) -> None:
    first, of_bea = tokens(authorise(browser_of(ana), "read")), tokens(authorise(browser_of(bea), "read"))
    other = tokens(authorise(browser_of(ana), "read"))
    second = renewed(first["refresh_token"])
    third = renewed(second["refresh_token"])
    assert renewed(first["refresh_token"])["error"] == "invalid_grant"
    assert renewed(third["refresh_token"])["error"] == "invalid_grant"
    statuses = [
        asks(grant["access_token"]).get("/api/v1/me/").status_code for grant in (first, second, third, other, of_bea)
    ]
    assert statuses == [401, 401, 401, 200, 200]
    assert "access_token" in renewed(other["refresh_token"])


def test_revoking_a_refresh_token_revokes_its_grant_and_nothing_else(
    ana: User, board: Program, browser_of: Browser
) -> None:
    first, other = tokens(authorise(browser_of(ana), "read")), tokens(authorise(browser_of(ana), "read"))
    granted = renewed(first["refresh_token"])
    assert Client().post(REVOKE, {"token": granted["refresh_token"], "client_id": "board"}).status_code == 200
    statuses = [asks(grant["access_token"]).get("/api/v1/me/").status_code for grant in (first, granted, other)]
    assert statuses == [401, 401, 200]
    assert renewed(granted["refresh_token"])["error"] == "invalid_grant"


def test_revoking_an_access_token_keeps_the_refresh_token(ana: User, board: Program, browser_of: Browser) -> None:
    granted = tokens(authorise(browser_of(ana), "read"))
    assert Client().post(REVOKE, {"token": granted["access_token"], "client_id": "board"}).status_code == 200
    assert asks(granted["access_token"]).get("/api/v1/me/").status_code == 401
    assert "access_token" in renewed(granted["refresh_token"])


def test_an_unknown_client_cannot_revoke(ana: User, board: Program, browser_of: Browser) -> None:
    granted = tokens(authorise(browser_of(ana), "read"))
    assert Client().post(REVOKE, {"token": granted["refresh_token"], "client_id": "nobody"}).status_code == 401
    assert asks(granted["access_token"]).get("/api/v1/me/").status_code == 200


def test_a_grant_expires_after_a_year(ana: User, board: Program, browser_of: Browser) -> None:
    first = tokens(authorise(browser_of(ana), "read"))
    OAuthGrant.objects.update(made_at=clock.now() - oauth_grants.MAX_AGE + timedelta(days=2))
    second = renewed(first["refresh_token"])
    assert int(second["refresh_expires_in"]) == pytest.approx(2 * 86_400, abs=60)
    token = Token.objects.get(type=Token.Type.REFRESH_TOKEN)
    assert token.expires_at == OAuthGrant.objects.get().made_at + oauth_grants.MAX_AGE


def test_a_token_without_a_recorded_grant_is_refreshed_and_recorded(
    ana: User, board: Program, browser_of: Browser
) -> None:
    first = tokens(authorise(browser_of(ana), "read"))
    Token.objects.update(data=None)
    OAuthGrant.objects.all().delete()
    second = renewed(first["refresh_token"])
    assert asks(second["access_token"]).get("/api/v1/me/").status_code == 200
    assert renewed(first["refresh_token"])["error"] == "invalid_grant"
    assert asks(second["access_token"]).get("/api/v1/me/").status_code == 401


def test_unusable_tokens_are_deleted(ana: User, board: Program, browser_of: Browser) -> None:
    first = tokens(authorise(browser_of(ana), "read"))
    assert oauth_grants.grants_sweep() == 0
    long_ago = clock.now() - timedelta(days=91)
    Token.objects.update(expires_at=long_ago)
    UsedOAuthToken.objects.update(made_at=long_ago)
    OAuthGrant.objects.update(made_at=long_ago)
    assert oauth_grants.grants_sweep() == 4  # two tokens, the used code, the grant
    assert renewed(first["refresh_token"])["error"] == "invalid_grant"


def test_the_access_of_an_app_is_revoked(ana: User, board: Program, browser_of: Browser) -> None:
    client = browser_of(ana)
    granted = tokens(authorise(client, "read", "play"))
    page = client.get("/settings/programs/").content.decode()
    assert "Board &amp; Cup" in page
    assert client.post("/settings/programs/board/forget/").status_code == 302
    assert asks(granted["access_token"]).get("/api/v1/me/").status_code == 401
    assert renewed(granted["refresh_token"])["error"] == "invalid_grant"
    assert not OAuthGrant.objects.exists()


def test_an_app_learns_only_the_name_of_its_user(ana: User, board: Program, browser_of: Browser) -> None:
    User.objects.filter(pk=ana.pk).update(first_name="Ana", last_name="Ruiz", email="ana@club.example")
    granted = tokens(authorise(browser_of(ana), "openid", scope="openid"))
    assert "id_token" in granted
    assert asks(granted["access_token"]).get("/identity/o/api/userinfo").json() == {"sub": str(ana.pk)}
    keys = Client().get("/.well-known/jwks.json").json()["keys"]
    assert [key["kty"] for key in keys] == ["RSA"]
    offered = Client().get("/.well-known/openid-configuration").json()
    assert offered["code_challenge_methods_supported"] == ["S256"]
    assert "play" in offered["scopes_supported"]
