"""Nobody is led away from the site by it: `next`, hosts, paths."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from accounts import services
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
    *("http://[::1", "https://[evil]/"),  # no addresses at all
]


@pytest.mark.parametrize("away", AWAY)
def test_no_door_leads_away(ana: User, away: str) -> None:
    client = Client()
    login = client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD, "next": away})
    theme = client.post(reverse("set_theme"), {"theme": "dark", "next": away})
    language = client.post(reverse("set_language"), {"language": "en", "next": away})
    again = client.post(reverse("account_reauthenticate"), {"password": PASSWORD, "next": away})
    logout = client.post(reverse("account_logout"), {"next": away})
    for answer in (login, theme, language, again, logout):
        assert answer.status_code == 302
        place = urlsplit(urljoin("http://testserver/accounts/login/", answer.headers["Location"]))
        assert (place.scheme, place.netloc) == ("http", "testserver")
        assert not answer.headers["Location"].startswith(("//", "/\\", "\\"))


@pytest.mark.parametrize("name", ["account_login", "account_signup", "account_reset_password_done"])
def test_a_page_with_a_way_back_that_is_no_address_is_shown_as_ever(client: Client, name: str) -> None:
    assert client.get(reverse(name), {"next": "http://[::1"}).status_code == 200


def test_a_way_back_of_ours_is_taken(ana: User) -> None:
    answer = Client().post(reverse("account_login"), {"login": "ana", "password": PASSWORD, "next": "/history/?q=1"})
    assert answer.headers["Location"] == "/history/?q=1"


@pytest.mark.parametrize("path", ["/static/../manage.py", "/static/%2e%2e/manage.py", "/static/..%2f..%2fetc/passwd"])
def test_no_path_leads_out_of_the_files(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_link_in_a_mail_is_made_of_a_host_of_ours(client: Client, ana: User) -> None:
    answer = client.post(reverse("account_reset_password"), {"email": "a@b.example"}, headers={"host": "evil.example"})
    assert answer.status_code == 400


def test_the_log_in_of_a_guest_stays_here_too(client: Client) -> None:
    services.club_ensure_default()
    assert client.post(reverse("guest-create"), {"next": "//evil.example"}).headers["Location"].startswith("/")
