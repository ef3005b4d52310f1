"""The page of apps and API tokens: a token is created, shown once, and revoked."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import PersonalToken, User
from accounts.programs import services as programs
from accounts.users import services as users
from accounts.web.encryption import Cipher

pytestmark = pytest.mark.django_db
PAGE = "/settings/programs/"
FORM = {"name": "my board", "scopes": ["read", "play"], "days": "30"}
Browser = Callable[..., Client]


@pytest.fixture
def reauthenticated(ana: User, browser_of: Browser) -> Client:
    """A browser of ana, just reauthenticated."""
    client = browser_of(ana)
    client.post("/accounts/reauthenticate/", {"password": "correct horse battery"})
    return client


def test_a_token_is_shown_once_and_works(ana: User, reauthenticated: Client) -> None:
    made = reauthenticated.post(f"{PAGE}make/", FORM, follow=True)
    assert made.status_code == 200
    assert "no-store" in made.headers["Cache-Control"] or "no-cache" in made.headers["Cache-Control"]
    text = re.search(r"tablero_pat_[\w-]{20,}", made.content.decode())
    assert text is not None
    me = Client(headers={"Authorization": f"Bearer {text[0]}"}).get("/api/v1/me/").json()
    assert (me["name"], me["scopes"]) == ("ana", ["read", "play"])
    page = reauthenticated.get(PAGE).content.decode()
    assert text[0] not in page
    assert f"…{text[0][-4:]}" in page


def test_a_reload_creates_no_second_token_and_shows_none(ana: User, reauthenticated: Client) -> None:
    led = reauthenticated.post(f"{PAGE}make/", FORM)
    assert (led.status_code, led.headers["Location"]) == (302, PAGE)
    assert "tablero_pat_" not in str(dict(reauthenticated.session))  # it is stored encrypted
    first, second = (reauthenticated.get(PAGE).content.decode() for _ in range(2))
    assert [len(re.findall(r"tablero_pat_[\w-]{20,}", page)) for page in (first, second)] == [1, 0]
    assert PersonalToken.objects.count() == 1


def test_a_token_stashed_under_another_secret_key_is_not_shown(reauthenticated: Client) -> None:
    reauthenticated.post(f"{PAGE}make/", FORM)
    session = reauthenticated.session
    session["shown-once"] = {**session["shown-once"], "locked": Cipher(("another key",), "tablero/once").encrypt("x")}
    session.save()
    page = reauthenticated.get(PAGE)
    assert (page.status_code, "Copy it now" in page.content.decode()) == (200, False)


def test_creating_a_token_asks_for_reauthentication(ana: User, browser_of: Browser) -> None:
    answer = browser_of(ana).post(f"{PAGE}make/", FORM)
    assert answer.status_code == 302
    assert "reauthenticate" in answer.headers["Location"]
    assert not PersonalToken.objects.exists()


@pytest.mark.parametrize("wrong", [{"name": ""}, {"scopes": []}, {"scopes": ["all"]}, {"days": "9999"}])
def test_an_invalid_form_shows_an_error(reauthenticated: Client, wrong: dict[str, object]) -> None:
    answer = reauthenticated.post(f"{PAGE}make/", {**FORM, **wrong})
    assert answer.status_code == 422
    assert 'class="errors' in answer.content.decode()
    assert not PersonalToken.objects.exists()


def test_a_token_is_revoked_by_its_owner_only(ana: User, bea: User, browser_of: Browser) -> None:
    token, _text = programs.token_create(user=ana, name="board", scopes=["read"])
    browser_of(bea).post(f"{PAGE}{token.pk}/revoke/")
    assert PersonalToken.objects.filter(pk=token.pk).exists()
    browser_of(ana).post(f"{PAGE}{token.pk}/revoke/")
    assert not PersonalToken.objects.exists()


def test_guests_are_asked_to_sign_up(browser_of: Browser) -> None:
    assert "signup" in browser_of(users.guest_create()).get(PAGE).headers["Location"]


def test_the_page_shows_no_tokens_of_others(ana: User, bea: User, browser_of: Browser) -> None:
    programs.token_create(user=bea, name="the board of bea", scopes=["read"])
    assert "the board of bea" not in browser_of(ana).get(PAGE).content.decode()
