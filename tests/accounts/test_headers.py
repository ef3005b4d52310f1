"""Security headers of all responses, and what is never cached."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import reverse

from accounts.models import User
from accounts.users import services as users
from backgammon.headers import HeadersMiddleware
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "media-src": "'self'",
    "worker-src": "'self'",
    "frame-src": "'none'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


def headers_of(answer: HttpResponse) -> dict[str, str]:
    parts = answer.headers["Content-Security-Policy"].split(";")
    return {name: rest for name, _, rest in (part.strip().partition(" ") for part in parts)}


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/no/such/page/", "/api/v1/no-such/", "/static/no-such.js"])
def test_pages_errors_and_files_have_the_same_headers(client: Client, path: str) -> None:
    answer = client.get(path)
    assert headers_of(answer) == POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in answer.headers["Permissions-Policy"]


def test_an_unknown_host_is_refused_with_the_same_headers(client: Client) -> None:
    answer = client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert "Permissions-Policy" in answer.headers


def test_a_personal_page_is_not_cached(client: Client, ana: User) -> None:
    client.force_login(ana, backend=users.BACKEND)
    for name in ("lobby", "history", "settings", "rules"):
        assert "no-store" in client.get(reverse(name)).headers["Cache-Control"]


def test_a_response_with_an_etag_is_revalidated_each_time() -> None:
    request = HttpRequest()
    request.COOKIES[settings.SESSION_COOKIE_NAME] = "x"
    made = HttpResponse("x", headers={"ETag": '"1"'})
    assert HeadersMiddleware(lambda _: made)(request).headers["Cache-Control"] == "private, no-cache"


def test_cookies_are_not_readable_by_scripts(client: Client, ana: User) -> None:
    client.get(reverse("account_login"))
    client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD})
    client.post(reverse("set_theme"), {"theme": "dark"})
    found = dict(client.cookies)
    assert {"csrftoken", "sessionid", "theme"} <= set(found)
    for cookie in found.values():
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"


@override_settings(HTTPS=True, SESSION_COOKIE_SECURE=True)
def test_a_message_for_the_next_page_is_stored_in_a_host_only_cookie(client: Client, ana: User) -> None:
    client.force_login(ana, backend=users.BACKEND)
    client.post(reverse("token-revoke", args=[1]), secure=True)
    cookie = client.cookies["__Host-messages"]
    assert cookie["secure"]
    assert cookie["path"] == "/"
    assert not cookie["domain"]


@override_settings(SECURE_SSL_REDIRECT=True, SECURE_HSTS_SECONDS=60, SECURE_HSTS_INCLUDE_SUBDOMAINS=True)
def test_https_responses_set_hsts(client: Client) -> None:
    assert client.get("/").status_code == 301
    assert client.get("/", secure=True).headers["Strict-Transport-Security"] == "max-age=60; includeSubDomains"


@pytest.mark.parametrize("path", ["/api/v1/me/", "/api/v1/nothing", "/identity/o/api/token"])
@override_settings(SECURE_SSL_REDIRECT=True)
def test_an_api_request_by_http_is_refused_and_not_redirected(client: Client, path: str) -> None:
    answer = client.post(path, headers={"Authorization": "Bearer tbl_whatever", "Accept-Language": "es"})
    assert (answer.status_code, answer.json()["code"]) == (403, "https_only")
    assert answer.json()["text"].startswith("Esto solo está disponible por HTTPS")
    assert "Location" not in answer.headers
    assert client.post(path, secure=True, headers={"Authorization": "Bearer tbl_whatever"}).status_code != 403
