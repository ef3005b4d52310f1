"""Language, theme and the board settings."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.users import services as users
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def language_of(client: Client, path: str = "/", **headers: str) -> str:
    return client.get(path, headers=headers).headers["Content-Language"]


def test_a_visitor_sees_the_language_of_the_browser(client: Client) -> None:
    assert language_of(client, **{"accept-language": "es-AR,es;q=0.9"}) == "es"
    assert language_of(client, **{"accept-language": "fi"}) == "en"


def test_the_language_is_remembered_and_follows_the_member_at_sign_in(client: Client, ana: User) -> None:
    client.force_login(ana, backend=users.BACKEND)
    answer = client.post(reverse("set_language"), {"language": "es", "next": "/players/?q=a"})
    assert answer.headers["Location"] == "/players/?q=a"
    assert language_of(client) == "es"
    elsewhere = Client()
    assert language_of(elsewhere) == "en"
    elsewhere.post(reverse("account_login"), {"login": "ana", "password": PASSWORD})
    assert language_of(elsewhere) == "es"


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_a_language_switch_never_redirects_to_another_site(client: Client, target: str) -> None:
    answer = client.post(reverse("set_language"), {"language": "es", "next": target})
    assert answer.headers["Location"] == "/"


def test_an_unknown_language_or_theme_changes_nothing(client: Client, ana: User) -> None:
    client.force_login(ana, backend=users.BACKEND)
    client.post(reverse("set_language"), {"language": "xx"})
    client.post(reverse("set_theme"), {"theme": "neon"})
    ana.refresh_from_db()
    assert (ana.language, ana.theme) == ("", "auto")


def test_the_theme_is_stored_in_a_cookie_and_in_the_account(client: Client, ana: User) -> None:
    client.post(reverse("set_theme"), {"theme": "dark"})
    assert 'data-theme="dark"' in client.get("/").content.decode()
    client.force_login(ana, backend=users.BACKEND)
    client.post(reverse("set_theme"), {"theme": "light"}, headers={"X-Requested-With": "fetch"})
    ana.refresh_from_db()
    assert ana.theme == "light"
    assert 'data-theme="light"' in client.get("/").content.decode()


def test_the_settings_page_stores_every_preference(client: Client, ana: User) -> None:
    client.force_login(ana, backend=users.BACKEND)
    assert client.get(reverse("settings")).status_code == 200
    chosen = {"language": "es", "theme": "dark", "direction": "cw", "auto_forced": "on"}
    assert client.post(reverse("settings"), chosen).status_code == 302
    ana.refresh_from_db()
    assert (ana.language, ana.theme, ana.direction) == ("es", "dark", "cw")
    assert (ana.auto_forced, ana.auto_roll, ana.sound, ana.confirm) == (True, False, False, False)
    assert language_of(client) == "es"
    client.post(reverse("settings"), {**chosen, "language": ""})
    assert language_of(client, **{"accept-language": "en"}) == "en"


def test_an_invalid_setting_shows_a_form_error(client: Client, ana: User) -> None:
    client.force_login(ana, backend=users.BACKEND)
    answer = client.post(reverse("settings"), {"language": "es", "theme": "neon", "direction": "cw"})
    assert answer.status_code == 200
    assert "theme" in answer.context["form"].errors


BOARD = {"board": "ocean", "checkers": "amber", "dice": "ruby", "animation": "fast", "volume": "40", "haptics": "on"}


def test_a_member_s_board_is_stored_in_the_account(client: Client, ana: User) -> None:
    client.force_login(ana, backend=users.BACKEND)
    assert client.post(reverse("board-settings"), BOARD).status_code == 302
    ana.refresh_from_db()
    assert (ana.board, ana.checkers, ana.dice, ana.animation) == ("ocean", "amber", "ruby", "fast")
    assert (ana.volume, ana.haptics) == (40, True)
    page = client.get("/").content.decode()
    assert 'data-board="ocean" data-checkers="amber" data-dice="ruby" data-animation="fast"' in page
    assert 'data-volume="40" data-haptics="1"' in page


def test_a_visitor_s_board_is_stored_in_a_cookie(client: Client) -> None:
    client.post(reverse("board-settings"), {**BOARD, "haptics": ""})
    assert 'data-board="ocean"' in client.get("/").content.decode()
    assert client.cookies["board"].value == "ocean.amber.ruby.fast.40.0"
    assert client.cookies["board"]["httponly"]


@pytest.mark.parametrize("cookie", ["", "ocean", "x.y.z.a.b.c", "ocean.amber.ruby.fast.400.7", "a" * 3000])
def test_a_spoilt_cookie_shows_what_it_holds_or_the_default(client: Client, cookie: str) -> None:
    client.cookies["board"] = cookie
    page = client.get("/").content.decode()
    assert 'data-volume="60"' in page
    assert ('data-board="ocean"' in page) == cookie.startswith("ocean.")


@pytest.mark.parametrize(("name", "value"), [("board", "neon"), ("volume", "101"), ("volume", "loud"), ("dice", "")])
def test_an_unknown_board_shows_a_form_error(client: Client, name: str, value: str) -> None:
    answer = client.post(reverse("board-settings"), {**BOARD, name: value})
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [name]
