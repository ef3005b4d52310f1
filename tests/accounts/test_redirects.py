"""No open redirects: `next`, hosts, paths."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from accounts.clubs import services as clubs
from accounts.models import User
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
AWAY = [
    *("https://evil.example/", "//evil.example/", "///evil.example", "/\\evil.example", "\\\\evil.example"),
    *(
        "javascript:alert(1)",
        "https:evil.example",
        "http:///evil.example",
        "/\t/evil.example",
        "https://testserver@evil.example/",
    ),
    *("%2f%2fevil.example", "data:text/html,x", " https://evil.example"),
    *("http://[::1", "https://[evil]/"),  # invalid URLs
]


@pytest.mark.parametrize("away", AWAY)
def test_no_view_redirects_to_another_site(ana: User, away: str) -> None:
    client = Client()
    login = client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD, "next": away})
    theme = client.post(reverse("set_theme"), {"theme": "dark", "next": away})
    language = client.post(reverse("set_language"), {"language": "en", "next": away})
    reauthentication = client.post(reverse("account_reauthenticate"), {"password": PASSWORD, "next": away})
    logout = client.post(reverse("account_logout"), {"next": away})
    for answer in (login, theme, language, reauthentication, logout):
        assert answer.status_code == 302
        place = urlsplit(urljoin("http://testserver/accounts/login/", answer.headers["Location"]))
        assert (place.scheme, place.netloc) == ("http", "testserver")
        assert not answer.headers["Location"].startswith(("//", "/\\", "\\"))


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password_done"])
def test_a_page_with_an_invalid_next_url_is_shown_as_usual(client: Client, name: str) -> None:
    assert client.get(reverse(name), {"next": "http://[::1"}).status_code == 200


def test_a_next_url_on_this_site_is_followed(ana: User) -> None:
    answer = Client().post(reverse("account_login"), {"login": "ana", "password": PASSWORD, "next": "/history/?q=1"})
    assert answer.headers["Location"] == "/history/?q=1"


@pytest.mark.parametrize("path", ["/static/../manage.py", "/static/%2e%2e/manage.py", "/static/..%2f..%2fetc/passwd"])
def test_no_path_escapes_the_static_files(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_link_in_an_email_uses_an_allowed_host(client: Client, ana: User) -> None:
    answer = client.post(reverse("account_reset_password"), {"email": "a@b.example"}, headers={"host": "evil.example"})
    assert answer.status_code == 400


def test_the_guest_sign_in_does_not_redirect_away_either(client: Client) -> None:
    clubs.default_club_ensure()
    assert client.post(reverse("guest-create"), {"next": "//evil.example"}).headers["Location"].startswith("/")
