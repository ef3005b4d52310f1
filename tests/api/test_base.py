"""The ground of the API: its one shape of refusals, exact bodies, pages, ETags and limits."""

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

from accounts import errors, rates, ties
from accounts.api.access import public
from accounts.api.views import ApiView
from accounts.models import User

pytestmark = pytest.mark.django_db
JSON = "application/json"
PREFERENCES = "/api/v1/me/preferences/"
STALE = {"If-Match": '"x"'}
Browser = Callable[..., Client]


def api_views(resolver: URLResolver, before: str = "") -> list[tuple[str, URLPattern]]:
    found: list[tuple[str, URLPattern]] = []
    for one in resolver.url_patterns:
        path = before + str(one.pattern)
        if isinstance(one, URLResolver):
            found += api_views(one, path)
        elif path.startswith("api/v1/"):
            found.append((path, one))
    return found


# Who may


def test_every_address_of_the_api_says_who_may_ask() -> None:
    found = api_views(get_resolver())
    assert len(found) > 100
    assert [path for path, one in found if not getattr(one.callback, "policy", "")] == []


def test_a_view_that_forgot_a_method_is_not_served() -> None:
    class Forgetful(ApiView):
        access = {"GET": public()}

        def get(self, request: Any) -> None: ...
        def post(self, request: Any) -> None: ...

    with pytest.raises(ImproperlyConfigured, match="Forgetful"):
        Forgetful.as_view()


def test_who_does_not_say_who_he_is_is_asked_for_it(browser_of: Browser) -> None:
    answer = browser_of().get(PREFERENCES)
    assert (answer.status_code, answer.json()) == (
        401,
        {"code": "not_authenticated", "ruling": "", "text": "Say who you are: log in, or send a token."},
    )
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_session_needs_its_csrf_token_and_a_program_none(ana: User, program_of: Browser) -> None:
    from accounts import services

    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=services.BACKEND)
    forged = strict.patch(PREFERENCES, {"sound": False}, JSON)
    assert (forged.status_code, forged.json()["code"]) == (403, "csrf")
    assert program_of(ana).patch(PREFERENCES, {"sound": False}, JSON).status_code == 200


# One shape


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
def test_all_refusals_have_one_shape(
    ana: User, browser_of: Browser, method: str, path: str, facts: dict[str, Any], status: int, code: str
) -> None:
    answer = getattr(browser_of(ana), method)(path, **facts)
    told = answer.json()
    assert (answer.status_code, told["code"]) == (status, code)
    assert told.keys() - {"fields"} == {"code", "text", "ruling"}
    assert code in errors.sentences()


def test_refusals_speak_the_language_that_is_asked_for(browser_of: Browser) -> None:
    told = browser_of().get(PREFERENCES, headers={"Accept-Language": "es"}).headers
    assert told["Content-Language"] == "es"
    assert "Accept-Language" in told["Vary"]


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
def test_bodies_have_exactly_the_types_that_they_say(
    ana: User, browser_of: Browser, body: dict[str, Any], fields: list[str]
) -> None:
    answer = browser_of(ana).patch(PREFERENCES, body, JSON)
    assert answer.status_code == 400
    assert sorted(answer.json()["fields"]) in (fields, fields[1:])


def test_what_is_unknown_in_a_body_is_not_passed_over(ana: User, browser_of: Browser) -> None:
    answer = browser_of(ana).patch(PREFERENCES, {"sound": False, "sounds": False}, JSON)
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_field")
    assert list(answer.json()["fields"]) == ["sounds"]
    ana.refresh_from_db()
    assert ana.sound is True


# Pages


def test_a_list_is_read_page_by_page_while_rows_come_in(
    ana: User, person: Callable[[str], User], browser_of: Browser
) -> None:
    for number in range(5):
        ties.tie_make(by=ana, about=person(f"p{number}"), kind=ties.FOLLOW)
    client, names, path = browser_of(ana), [], "/api/v1/me/ties/?kind=follow&size=2"
    told = client.get(path).json()
    ties.tie_make(by=ana, about=person("late"), kind=ties.FOLLOW)
    while True:
        names += [row["person"]["name"] for row in told["results"]]
        if told["next"] is None:
            break
        told = client.get(f"{path}&cursor={told['next']}").json()
    assert names == ["p4", "p3", "p2", "p1", "p0"]


def test_a_cursor_of_another_list_is_none(ana: User, person: Callable[[str], User], browser_of: Browser) -> None:
    for number in range(2):
        ties.tie_make(by=ana, about=person(f"p{number}"), kind=ties.FOLLOW)
    client = browser_of(ana)
    cursor = client.get("/api/v1/me/ties/?kind=follow&size=1").json()["next"]
    assert client.get(f"/api/v1/clubs/tablero/members/?cursor={cursor}").json()["code"] == "bad_cursor"


def test_a_page_costs_the_same_whatever_it_holds(ana: User, person: Callable[[str], User], browser_of: Browser) -> None:
    client, costs = browser_of(ana), []
    client.get("/api/v1/me/")  # the first visit of a browser is written down
    for number in range(3):
        ties.tie_make(by=ana, about=person(f"p{number}"), kind=ties.FOLLOW)
        with CaptureQueriesContext(connection) as asked:
            assert len(client.get("/api/v1/me/ties/?kind=follow").json()["results"]) == number + 1
        costs.append(len(asked))
    assert costs == [3, 3, 3]  # the session, its user, the page


# What has changed


def test_what_was_seen_already_is_not_sent_again(ana: User, browser_of: Browser) -> None:
    client = browser_of(ana)
    for path in (PREFERENCES, "/api/v1/me/", "/api/v1/clubs/"):
        tag = client.get(path).headers["ETag"]
        again = client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["ETag"] == tag


def test_nobody_changes_what_he_has_not_seen(ana: User, browser_of: Browser) -> None:
    client = browser_of(ana)
    tag = client.get(PREFERENCES).headers["ETag"]
    first = client.patch(PREFERENCES, {"sound": False}, JSON, headers={"If-Match": tag})
    second = client.patch(PREFERENCES, {"theme": "dark"}, JSON, headers={"If-Match": tag})
    assert (first.status_code, second.status_code) == (200, 412)
    third = client.patch(PREFERENCES, {"theme": "dark"}, JSON, headers={"If-Match": first.headers["ETag"]})
    assert third.json() == {**first.json(), "theme": "dark"}


# Limits


LIMITED = override_settings(API_RATES={**dict.fromkeys(rates.KINDS, "1000/60"), "read": "2/3600", "login": "2/3600"})


@LIMITED
def test_limits_are_told_and_kept_for_each_by_himself(ana: User, bea: User, browser_of: Browser) -> None:
    client = browser_of(ana)
    first, _second, third = (client.get("/api/v1/me/") for _ in range(3))
    assert first.headers["RateLimit-Policy"] == '"read";q=2;w=3600'
    assert first.headers["RateLimit"].startswith('"read";r=1;t=')
    assert (third.status_code, third.json()["code"]) == (429, "too_often")
    assert 1 <= int(third.headers["Retry-After"]) <= 3600
    assert client.patch(PREFERENCES, {}, JSON).status_code == 200
    assert browser_of(bea).get("/api/v1/me/").status_code == 200


@LIMITED
def test_a_token_has_a_limit_of_its_own(ana: User, browser_of: Browser, program_of: Browser) -> None:
    board, browser = program_of(ana), browser_of(ana)
    assert [board.get("/api/v1/me/").status_code for _ in range(3)] == [200, 200, 429]
    assert browser.get("/api/v1/me/").status_code == 200


@LIMITED
def test_who_tries_tokens_has_few_tries() -> None:
    client = Client(headers={"Authorization": "Bearer tablero_pat_guess"})
    assert [client.get("/api/v1/me/").status_code for _ in range(3)] == [401, 401, 429]


def test_a_cache_that_is_down_stops_nobody(ana: User, browser_of: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*args: Any, **kwargs: Any) -> int:
        raise ConnectionError

    monkeypatch.setattr(type(cache._connections[cache._alias]), "incr", gone)  # type: ignore[attr-defined]
    answer = browser_of(ana).get("/api/v1/me/")
    assert answer.status_code == 200
    assert "RateLimit" not in answer.headers
