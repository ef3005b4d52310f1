"""The API framework: error format, strict bodies, pagination, ETags and rate limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver

from accounts import errors
from accounts.api.access import public
from accounts.api.views import ApiView
from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from accounts.web import api_rates

pytestmark = pytest.mark.django_db
JSON = "application/json"
PREFERENCES = "/api/v1/me/preferences/"
STALE = {"If-Match": '"x"'}
Browser = Callable[..., Client]


def api_views(resolver: URLResolver, before: str = "") -> list[tuple[str, URLPattern]]:
    found: list[tuple[str, URLPattern]] = []
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found += api_views(pattern, path)
        elif path.startswith("api/v1/"):
            found.append((path, pattern))
    return found


# Permissions


def test_every_api_url_declares_its_permissions() -> None:
    found = api_views(get_resolver())
    assert len(found) > 100
    assert [path for path, pattern in found if not getattr(pattern.callback, "policy", "")] == []


def test_a_view_with_an_undeclared_method_is_refused() -> None:
    class Forgetful(ApiView):
        access = {"GET": public()}

        def get(self, request: Any) -> None: ...
        def post(self, request: Any) -> None: ...

    with pytest.raises(ImproperlyConfigured, match="Forgetful"):
        Forgetful.as_view()


def test_an_anonymous_request_gets_401(browser_of: Browser) -> None:
    answer = browser_of().get(PREFERENCES)
    assert (answer.status_code, answer.json()) == (
        401,
        {"code": "not_authenticated", "ruling": "", "text": "Authentication required: sign in or send a token."},
    )
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_session_needs_a_csrf_token_and_an_api_token_does_not(ana: User, program_of: Browser) -> None:
    from accounts.users import services as users

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=users.BACKEND)
    forged = strict.patch(PREFERENCES, {"sound": False}, JSON)
    assert (forged.status_code, forged.json()["code"]) == (403, "csrf")
    assert program_of(ana).patch(PREFERENCES, {"sound": False}, JSON).status_code == 200


# Errors


@pytest.mark.parametrize(
    ("method", "path", "facts", "status", "code"),
    [
        ("get", "/api/v1/there/is/nothing/", {}, 404, "nothing_here"),
        ("post", "/api/v1/there/is/nothing/", {}, 404, "nothing_here"),
        ("get", "/api/v1/clubs/nothing/", {}, 404, "no_club"),
        ("get", "/api/v1/players/nobody/ties/", {}, 404, "no_such_player"),
        ("get", "/api/v1/players/a%00b/ties/", {}, 404, "nothing_here"),
        ("delete", "/api/v1/me/tokens/99999999999999999999/", {}, 404, "nothing_here"),
        ("put", PREFERENCES, {}, 405, "method"),
        ("options", PREFERENCES, {}, 405, "method"),
        ("get", PREFERENCES, {"headers": {"Accept": "text/csv"}}, 406, "not_acceptable"),
        ("patch", PREFERENCES, {"data": "<a/>", "content_type": "text/xml"}, 415, "media_type"),
        ("patch", PREFERENCES, {"data": "{", "content_type": JSON}, 400, "parse"),
        ("patch", PREFERENCES, {"data": "[]", "content_type": JSON}, 400, "invalid"),
        (
            "patch",
            PREFERENCES,
            {"data": "{}", "content_type": JSON, "headers": {"If-Match": '"x"'}},
            412,
            "changed_since",
        ),
        ("get", "/api/v1/clubs/?cursor=forged", {}, 404, "bad_cursor"),
        ("get", "/api/v1/clubs/?size=0", {}, 400, "invalid"),
        ("get", "/api/v1/clubs/?size=5&size=6", {}, 400, "invalid"),
        ("get", "/api/v1/clubs/?sort=name", {}, 400, "unknown_field"),
    ],
)
def test_all_errors_have_one_shape(
    ana: User, browser_of: Browser, method: str, path: str, facts: dict[str, Any], status: int, code: str
) -> None:
    answer = getattr(browser_of(ana), method)(path, **facts)
    result = answer.json()
    assert (answer.status_code, result["code"]) == (status, code)
    assert result.keys() - {"fields"} == {"code", "text", "ruling"}
    assert code in errors.refusal_texts()


def test_errors_are_in_the_requested_language(browser_of: Browser) -> None:
    headers = browser_of().get(PREFERENCES, headers={"Accept-Language": "es"}).headers
    assert headers["Content-Language"] == "es"
    assert "Accept-Language" in headers["Vary"]


# Bodies


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"sound": "true"}, ["sound"]),
        ({"sound": 1}, ["sound"]),
        ({"theme": "pink"}, ["theme"]),
        ({"theme": 7, "sound": None}, ["sound", "theme"]),
    ],
)
def test_bodies_are_checked_for_exact_types(
    ana: User, browser_of: Browser, body: dict[str, Any], fields: list[str]
) -> None:
    answer = browser_of(ana).patch(PREFERENCES, body, JSON)
    assert answer.status_code == 400
    assert sorted(answer.json()["fields"]) in (fields, fields[1:])


def test_unknown_fields_of_a_body_are_refused(ana: User, browser_of: Browser) -> None:
    answer = browser_of(ana).patch(PREFERENCES, {"sound": False, "sounds": False}, JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_field")
    assert list(answer.json()["fields"]) == ["sounds"]
    ana.refresh_from_db()
    assert ana.sound is True


# Pages


def test_a_list_is_paginated_while_rows_are_added(
    ana: User, person: Callable[[str], User], browser_of: Browser
) -> None:
    for number in range(5):
        relationships.relationship_create(by=ana, about=person(f"p{number}"), kind=relationship_selectors.FOLLOW)
    client, names, path = browser_of(ana), [], "/api/v1/me/ties/?kind=follow&size=2"
    result = client.get(path).json()
    relationships.relationship_create(by=ana, about=person("late"), kind=relationship_selectors.FOLLOW)
    while True:
        names += [row["person"]["name"] for row in result["results"]]
        if result["next"] is None:
            break
        result = client.get(f"{path}&cursor={result['next']}").json()
    assert names == ["p4", "p3", "p2", "p1", "p0"]


def test_a_cursor_of_another_list_is_invalid(ana: User, person: Callable[[str], User], browser_of: Browser) -> None:
    for number in range(2):
        relationships.relationship_create(by=ana, about=person(f"p{number}"), kind=relationship_selectors.FOLLOW)
    client = browser_of(ana)
    cursor = client.get("/api/v1/me/ties/?kind=follow&size=1").json()["next"]
    assert client.get(f"/api/v1/clubs/tablero/members/?cursor={cursor}").json()["code"] == "bad_cursor"


def test_a_page_takes_as_many_queries_for_any_number_of_rows(
    ana: User, person: Callable[[str], User], browser_of: Browser
) -> None:
    client, costs = browser_of(ana), []
    client.get("/api/v1/me/")  # the first visit of a browser is recorded
    for number in range(3):
        relationships.relationship_create(by=ana, about=person(f"p{number}"), kind=relationship_selectors.FOLLOW)
        with CaptureQueriesContext(connection) as queries:
            assert len(client.get("/api/v1/me/ties/?kind=follow").json()["results"]) == number + 1
        costs.append(len(queries))
    assert costs == [3, 3, 3]  # the session, its user, the page


# ETags


def test_an_unchanged_resource_is_not_sent_again(ana: User, browser_of: Browser) -> None:
    client = browser_of(ana)
    for path in (PREFERENCES, "/api/v1/me/", "/api/v1/clubs/"):
        tag = client.get(path).headers["ETag"]
        second = client.get(path, headers={"If-None-Match": tag})
        assert (second.status_code, second.content) == (304, b"")
        assert second.headers["ETag"] == tag


def test_an_update_of_an_outdated_version_is_refused(ana: User, browser_of: Browser) -> None:
    client = browser_of(ana)
    tag = client.get(PREFERENCES).headers["ETag"]
    first = client.patch(PREFERENCES, {"sound": False}, JSON, headers={"If-Match": tag})
    second = client.patch(PREFERENCES, {"theme": "dark"}, JSON, headers={"If-Match": tag})
    assert (first.status_code, second.status_code) == (200, 412)
    third = client.patch(PREFERENCES, {"theme": "dark"}, JSON, headers={"If-Match": first.headers["ETag"]})
    assert third.json() == {**first.json(), "theme": "dark"}


# Limits


LIMITED = override_settings(
    API_RATES={**dict.fromkeys(api_rates.KINDS, "1000/60"), "read": "2/3600", "login": "2/3600"}
)


@LIMITED
def test_rate_limits_are_reported_and_counted_per_user(ana: User, bea: User, browser_of: Browser) -> None:
    client = browser_of(ana)
    first, _second, third = (client.get("/api/v1/me/") for _ in range(3))
    assert first.headers["RateLimit-Policy"] == '"read";q=2;w=3600'
    assert first.headers["RateLimit"].startswith('"read";r=1;t=')
    assert (third.status_code, third.json()["code"]) == (429, "too_often")
    assert 1 <= int(third.headers["Retry-After"]) <= 3600
    assert client.patch(PREFERENCES, {}, JSON).status_code == 200
    assert browser_of(bea).get("/api/v1/me/").status_code == 200


@LIMITED
def test_a_token_has_its_own_rate_limit(ana: User, browser_of: Browser, program_of: Browser) -> None:
    board, browser = program_of(ana), browser_of(ana)
    assert [board.get("/api/v1/me/").status_code for _ in range(3)] == [200, 200, 429]
    assert browser.get("/api/v1/me/").status_code == 200


@LIMITED
def test_guessing_tokens_is_rate_limited() -> None:
    client = Client(headers={"Authorization": "Bearer tablero_pat_guess"})
    assert [client.get("/api/v1/me/").status_code for _ in range(3)] == [401, 401, 429]


def test_requests_are_served_while_the_cache_is_down(
    ana: User, browser_of: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any, **kwargs: Any) -> int:
        raise ConnectionError

    monkeypatch.setattr(type(cache._connections[cache._alias]), "incr", fail)  # type: ignore[attr-defined]
    answer = browser_of(ana).get("/api/v1/me/")
    assert answer.status_code == 200
    assert "RateLimit" not in answer.headers
