"""Programs of others: how they are let in, by a page that asks, with a proof key, and let in no longer."""

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

from accounts import admissions, services
from accounts.models import Admission, Spent, User

pytestmark = pytest.mark.django_db
AUTHORIZE, TOKEN, REVOKE = "/identity/o/authorize", "/identity/o/api/token", "/identity/o/api/revoke"
BACK = "https://board.example/back"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
Browser = Callable[..., Client]


@pytest.fixture
def board() -> Program:
    """A program of somebody else, without a secret."""
    return Program.objects.create(
        id="board",
        name="Board & Cup",
        type=Program.Type.PUBLIC,
        scopes="openid\nread\nplay\nclub",
        redirect_uris=BACK,
        grant_types="authorization_code\nrefresh_token",
    )


def wish(**more: str) -> dict[str, str]:
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


def let_in(client: Client, *scopes: str, **more: str) -> str:
    """The code with which the browser is sent back."""
    page = client.get(AUTHORIZE, wish(**more))
    assert page.status_code == 200
    signed = re.search(r'name="request" value="([^"]+)"', page.content.decode())
    assert signed is not None
    answer = client.post(AUTHORIZE, {"request": signed[1], "scopes": scopes, "action": "grant"})
    where = urlsplit(answer.headers["Location"])
    assert f"{where.scheme}://{where.netloc}{where.path}" == BACK
    said = parse_qs(where.query)
    assert said["state"] == ["s1"]
    return said["code"][0]


def tokens(code: str, verifier: str = VERIFIER) -> dict[str, str]:
    body = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "client_id": "board"}
    return dict(Client().post(TOKEN, {**body, "code_verifier": verifier}).json())


def renewed(refresh: str) -> dict[str, str]:
    body = {"grant_type": "refresh_token", "refresh_token": refresh, "client_id": "board"}
    return dict(Client().post(TOKEN, body).json())


def asks(access: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {access}", "Accept-Language": "en"})


def test_a_program_is_let_in_to_what_was_granted_and_no_further(ana: User, board: Program, browser_of: Browser) -> None:
    told = tokens(let_in(browser_of(ana), "read"))
    assert (told["token_type"], told["scope"], told["expires_in"]) == ("Bearer", "read", 3600)
    program = asks(told["access_token"])
    assert program.get("/api/v1/me/").json() == {"name": "ana", "kind": "member", "scopes": ["read"], "token": "oauth"}
    assert program.put("/api/v1/clubs/tablero/membership/").json()["code"] == "scope"


def test_the_page_asks_and_says_who_and_lets_the_form_lead_back(ana: User, board: Program, browser_of: Browser) -> None:
    page = browser_of(ana).get(AUTHORIZE, wish())
    text = page.content.decode()
    assert "Board &amp; Cup" in text
    assert "Play for you" in text
    assert "form-action 'self' https://board.example" in page.headers["Content-Security-Policy"]


def test_everybody_is_asked_even_where_the_staff_would_spare_them_the_page(
    ana: User, board: Program, browser_of: Browser
) -> None:
    Program.objects.update(skip_consent=True)
    assert "Board &amp; Cup" in browser_of(ana).get(AUTHORIZE, wish()).content.decode()


def test_who_is_not_logged_in_logs_in_first_and_guests_sign_up(board: Program, browser_of: Browser) -> None:
    assert "login" in browser_of().get(AUTHORIZE, wish()).headers["Location"]
    guest = browser_of(services.guest_create()).get(AUTHORIZE, wish())
    assert "signup" in guest.headers["Location"]


def test_without_a_proof_key_nobody_is_let_in(ana: User, board: Program, browser_of: Browser) -> None:
    for more in ({"code_challenge": ""}, {"code_challenge_method": "plain"}):
        assert browser_of(ana).get(AUTHORIZE, wish(**more)).status_code == 400
    code = let_in(browser_of(ana), "read")
    assert tokens(code, verifier="w" * 64)["error"] == "invalid_grant"


def test_a_code_opens_once_and_shown_again_it_ends_what_it_gave(ana: User, board: Program, browser_of: Browser) -> None:
    code = let_in(browser_of(ana), "read")
    first = tokens(code)
    assert asks(first["access_token"]).get("/api/v1/me/").status_code == 200
    assert tokens(code)["error"] == "invalid_grant"
    assert asks(first["access_token"]).get("/api/v1/me/").status_code == 401
    assert renewed(first["refresh_token"])["error"] == "invalid_grant"


def test_a_code_that_is_shown_without_its_proof_is_not_used_up(ana: User, board: Program, browser_of: Browser) -> None:
    code = let_in(browser_of(ana), "read")
    assert tokens(code, verifier="w" * 64)["error"] == "invalid_grant"
    assert "access_token" in tokens(code)


@pytest.mark.parametrize("more", [{"redirect_uri": "https://evil.example/"}, {"client_id": "nobody"}])
def test_a_wish_that_leads_elsewhere_is_not_followed(
    ana: User, board: Program, browser_of: Browser, more: dict[str, str]
) -> None:
    answer = browser_of(ana).get(AUTHORIZE, wish(**more))
    assert answer.status_code == 400
    assert "evil.example" not in answer.headers.get("Location", "")


@pytest.mark.parametrize("bad", ["http://[::1", "https://[x]/"])
def test_what_is_no_address_is_refused_on_the_pages(ana: User, board: Program, browser_of: Browser, bad: str) -> None:
    client = browser_of(ana)
    leaving = {"client_id": "board", "post_logout_redirect_uri": bad}
    for answer in (
        client.get(AUTHORIZE, wish(resource=bad)),
        client.get(AUTHORIZE, wish(redirect_uri=bad)),
        client.get("/identity/o/logout", leaving),
        client.post("/identity/o/logout", leaving),
    ):
        assert answer.status_code == 400
        assert "in the place of an address" in answer.content.decode()


@pytest.mark.parametrize("bad", ["http://[::1", "https://[x]/", "[]", "https://board.example/#part"])
def test_what_is_no_address_is_refused_by_the_api_of_programs_and_uses_nothing_up(
    ana: User, board: Program, browser_of: Browser, bad: str
) -> None:
    client = browser_of(ana)
    assert client.get(AUTHORIZE, wish(resource=bad)).status_code == 400
    code = let_in(client, "read")
    body = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "client_id": "board"}
    answer = Client().post(TOKEN, {**body, "code_verifier": VERIFIER, "resource": bad})
    assert (answer.status_code, answer.json()) == (400, {"error": "invalid_request"})
    device = Client().post("/identity/o/api/device/code", {"client_id": "board", "resource": bad})
    assert (device.status_code, device.json()) == (400, {"error": "invalid_request"})
    assert "access_token" in tokens(code)


def test_no_is_told_to_the_program(ana: User, board: Program, browser_of: Browser) -> None:
    client = browser_of(ana)
    signed = re.search(r'name="request" value="([^"]+)"', client.get(AUTHORIZE, wish()).content.decode())
    assert signed is not None
    answer = client.post(AUTHORIZE, {"request": signed[1], "action": "cancel"})
    assert answer.headers["Location"].startswith(f"{BACK}?error=access_denied")


def test_a_token_is_renewed_by_one_that_is_used_once(ana: User, board: Program, browser_of: Browser) -> None:
    first = tokens(let_in(browser_of(ana), "read"))
    second = renewed(first["refresh_token"])
    assert asks(second["access_token"]).get("/api/v1/me/").status_code == 200
    assert int(second["refresh_expires_in"]) == pytest.approx(90 * 86_400, abs=60)


def test_who_shows_a_used_one_ends_all_that_came_of_that_yes_and_nothing_else(
    ana: User, bea: User, board: Program, browser_of: Browser
) -> None:
    first, of_bea = tokens(let_in(browser_of(ana), "read")), tokens(let_in(browser_of(bea), "read"))
    other = tokens(let_in(browser_of(ana), "read"))
    second = renewed(first["refresh_token"])
    third = renewed(second["refresh_token"])
    assert renewed(first["refresh_token"])["error"] == "invalid_grant"
    assert renewed(third["refresh_token"])["error"] == "invalid_grant"
    heard = [asks(one["access_token"]).get("/api/v1/me/").status_code for one in (first, second, third, other, of_bea)]
    assert heard == [401, 401, 401, 200, 200]
    assert "access_token" in renewed(other["refresh_token"])


def test_who_gives_a_renewing_token_back_gives_back_all_of_that_yes_and_nothing_else(
    ana: User, board: Program, browser_of: Browser
) -> None:
    first, other = tokens(let_in(browser_of(ana), "read")), tokens(let_in(browser_of(ana), "read"))
    told = renewed(first["refresh_token"])
    assert Client().post(REVOKE, {"token": told["refresh_token"], "client_id": "board"}).status_code == 200
    heard = [asks(one["access_token"]).get("/api/v1/me/").status_code for one in (first, told, other)]
    assert heard == [401, 401, 200]
    assert renewed(told["refresh_token"])["error"] == "invalid_grant"


def test_who_gives_back_the_token_of_an_hour_may_renew_it(ana: User, board: Program, browser_of: Browser) -> None:
    told = tokens(let_in(browser_of(ana), "read"))
    assert Client().post(REVOKE, {"token": told["access_token"], "client_id": "board"}).status_code == 200
    assert asks(told["access_token"]).get("/api/v1/me/").status_code == 401
    assert "access_token" in renewed(told["refresh_token"])


def test_a_program_that_nobody_knows_gives_nothing_back(ana: User, board: Program, browser_of: Browser) -> None:
    told = tokens(let_in(browser_of(ana), "read"))
    assert Client().post(REVOKE, {"token": told["refresh_token"], "client_id": "nobody"}).status_code == 401
    assert asks(told["access_token"]).get("/api/v1/me/").status_code == 200


def test_a_year_after_the_yes_the_person_is_asked_again(ana: User, board: Program, browser_of: Browser) -> None:
    first = tokens(let_in(browser_of(ana), "read"))
    Admission.objects.update(made_at=clock.now() - admissions.LONGEST + timedelta(days=2))
    second = renewed(first["refresh_token"])
    assert int(second["refresh_expires_in"]) == pytest.approx(2 * 86_400, abs=60)
    told = Token.objects.get(type=Token.Type.REFRESH_TOKEN)
    assert told.expires_at == Admission.objects.get().made_at + admissions.LONGEST


def test_a_token_of_a_yes_that_nobody_noted_is_renewed_and_noted(
    ana: User, board: Program, browser_of: Browser
) -> None:
    first = tokens(let_in(browser_of(ana), "read"))
    Token.objects.update(data=None)
    Admission.objects.all().delete()
    second = renewed(first["refresh_token"])
    assert asks(second["access_token"]).get("/api/v1/me/").status_code == 200
    assert renewed(first["refresh_token"])["error"] == "invalid_grant"
    assert asks(second["access_token"]).get("/api/v1/me/").status_code == 401


def test_what_can_open_nothing_any_more_is_forgotten(ana: User, board: Program, browser_of: Browser) -> None:
    first = tokens(let_in(browser_of(ana), "read"))
    assert admissions.admissions_sweep() == 0
    long_ago = clock.now() - timedelta(days=91)
    Token.objects.update(expires_at=long_ago)
    Spent.objects.update(made_at=long_ago)
    Admission.objects.update(made_at=long_ago)
    assert admissions.admissions_sweep() == 4  # two tokens, the code that was used, the yes
    assert renewed(first["refresh_token"])["error"] == "invalid_grant"


def test_a_program_is_let_in_no_longer(ana: User, board: Program, browser_of: Browser) -> None:
    client = browser_of(ana)
    told = tokens(let_in(client, "read", "play"))
    page = client.get("/settings/programs/").content.decode()
    assert "Board &amp; Cup" in page
    assert client.post("/settings/programs/board/forget/").status_code == 302
    assert asks(told["access_token"]).get("/api/v1/me/").status_code == 401
    assert renewed(told["refresh_token"])["error"] == "invalid_grant"
    assert not Admission.objects.exists()


def test_a_program_learns_the_name_of_the_person_and_no_other(ana: User, board: Program, browser_of: Browser) -> None:
    User.objects.filter(pk=ana.pk).update(first_name="Ana", last_name="Ruiz", email="ana@club.example")
    told = tokens(let_in(browser_of(ana), "openid", scope="openid"))
    assert "id_token" in told
    assert asks(told["access_token"]).get("/identity/o/api/userinfo").json() == {"sub": str(ana.pk)}
    keys = Client().get("/.well-known/jwks.json").json()["keys"]
    assert [key["kty"] for key in keys] == ["RSA"]
    offered = Client().get("/.well-known/openid-configuration").json()
    assert offered["code_challenge_methods_supported"] == ["S256"]
    assert "play" in offered["scopes_supported"]
