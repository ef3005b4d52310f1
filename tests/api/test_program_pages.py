"""The page of one's programs: a token is made there, shown once, and revoked."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts import programs, services
from accounts.box import Box
from accounts.models import PersonalToken, User

pytestmark = pytest.mark.django_db
PAGE = "/settings/programs/"
FORM = {"name": "my board", "scopes": ["read", "play"], "days": "30"}
Browser = Callable[..., Client]


@pytest.fixture
def just_here(ana: User, browser_of: Browser) -> Client:
    """ana, who has typed her password a moment ago."""
    client = browser_of(ana)
    client.post("/accounts/reauthenticate/", {"password": "correct horse battery"})
    return client


def test_a_token_is_shown_once_and_works(ana: User, just_here: Client) -> None:
    made = just_here.post(f"{PAGE}make/", FORM, follow=True)
    assert made.status_code == 200
    assert "no-store" in made.headers["Cache-Control"] or "no-cache" in made.headers["Cache-Control"]
    text = re.search(r"tablero_pat_[\w-]{20,}", made.content.decode())
    assert text is not None
    told = Client(headers={"Authorization": f"Bearer {text[0]}"}).get("/api/v1/me/").json()
    assert (told["name"], told["scopes"]) == ("ana", ["read", "play"])
    page = just_here.get(PAGE).content.decode()
    assert text[0] not in page
    assert f"…{text[0][-4:]}" in page


def test_a_reload_makes_no_other_token_and_shows_none(ana: User, just_here: Client) -> None:
    led = just_here.post(f"{PAGE}make/", FORM)
    assert (led.status_code, led.headers["Location"]) == (302, PAGE)
    assert "tablero_pat_" not in str(dict(just_here.session))  # it waits there locked
    first, again = (just_here.get(PAGE).content.decode() for _ in range(2))
    assert [len(re.findall(r"tablero_pat_[\w-]{20,}", page)) for page in (first, again)] == [1, 0]
    assert PersonalToken.objects.count() == 1


def test_a_token_put_by_under_another_key_of_the_site_is_not_shown(just_here: Client) -> None:
    just_here.post(f"{PAGE}make/", FORM)
    session = just_here.session
    session["shown-once"] = {**session["shown-once"], "locked": Box(("another key",), "tablero/once").lock("x")}
    session.save()
    page = just_here.get(PAGE)
    assert (page.status_code, "Copy it now" in page.content.decode()) == (200, False)


def test_before_a_token_one_says_again_who_one_is(ana: User, browser_of: Browser) -> None:
    answer = browser_of(ana).post(f"{PAGE}make/", FORM)
    assert answer.status_code == 302
    assert "reauthenticate" in answer.headers["Location"]
    assert not PersonalToken.objects.exists()


@pytest.mark.parametrize("wrong", [{"name": ""}, {"scopes": []}, {"scopes": ["all"]}, {"days": "9999"}])
def test_a_form_that_makes_no_sense_is_told_so(just_here: Client, wrong: dict[str, object]) -> None:
    answer = just_here.post(f"{PAGE}make/", {**FORM, **wrong})
    assert answer.status_code == 422
    assert 'class="errors' in answer.content.decode()
    assert not PersonalToken.objects.exists()


def test_a_token_is_revoked_by_its_owner_alone(ana: User, bea: User, browser_of: Browser) -> None:
    token, _text = programs.token_make(user=ana, name="board", scopes=["read"])
    browser_of(bea).post(f"{PAGE}{token.pk}/revoke/")
    assert PersonalToken.objects.filter(pk=token.pk).exists()
    browser_of(ana).post(f"{PAGE}{token.pk}/revoke/")
    assert not PersonalToken.objects.exists()


def test_guests_are_asked_to_sign_up(browser_of: Browser) -> None:
    assert "signup" in browser_of(services.guest_create()).get(PAGE).headers["Location"]


def test_the_page_speaks_of_no_tokens_of_others(ana: User, bea: User, browser_of: Browser) -> None:
    programs.token_make(user=bea, name="the board of bea", scopes=["read"])
    assert "the board of bea" not in browser_of(ana).get(PAGE).content.decode()
