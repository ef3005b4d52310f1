"""The pages of webhooks, and the same over the API."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from accounts import programs
from accounts.models import User
from accounts.services import BACKEND
from games import services as play
from hooks import services
from hooks.models import Delivery, Hook
from tests.services.webhook_taker import Taker

pytestmark = pytest.mark.django_db

URL = "https://hooks.example.net/a"


@pytest.fixture
def hers(client: Client, ana: User) -> Client:
    client.force_login(ana, backend=BACKEND)
    return client


@pytest.fixture
def program(ana: User) -> Client:
    _token, text = programs.token_make(user=ana, name="my program", scopes=["hooks"])
    return Client(headers={"Authorization": f"Bearer {text}"})


def test_a_webhook_is_made_on_its_page_and_its_secret_is_shown_once(hers: Client) -> None:
    page = hers.post("/settings/hooks/", {"url": URL, "name": "my robot", "kinds": ["notice"]}, follow=True)
    made = Hook.objects.get()
    assert (page.status_code, made.secret in page.content.decode()) == (200, True)
    for path in ("/settings/hooks/", f"/settings/hooks/{made.pk}/", "/settings/"):
        page = hers.get(path)
        assert (page.status_code, made.secret in page.content.decode()) == (200, False)
    page = hers.post(f"/settings/hooks/{made.pk}/secret/", follow=True)
    assert Hook.objects.get().secret in page.content.decode()
    assert Hook.objects.get().secret != made.secret


def test_a_new_secret_is_shown_on_the_page_of_its_own_webhook_alone(hers: Client, ana: User) -> None:
    one, two = (services.hook_add(user=ana, url=URL) for _ in range(2))
    led = hers.post(f"/settings/hooks/{one.pk}/secret/")
    assert (led.status_code, led.headers["Location"]) == (302, f"/settings/hooks/{one.pk}/")
    secret = Hook.objects.get(pk=one.pk).secret
    assert [secret in hers.get(f"/settings/hooks/{each.pk}/").content.decode() for each in (two, one, one)] == [
        False,
        True,
        False,
    ]


def test_a_secret_is_stored_locked(ana: User) -> None:
    made = services.hook_add(user=ana, url=URL)
    assert made.secret.startswith("whsec_")
    assert "whsec" not in made.secret_locked
    assert Hook.objects.get().secret == made.secret


def test_a_secret_of_an_older_site_is_locked_by_the_migration(ana: User) -> None:
    made = services.hook_add(user=ana, url=URL)
    Hook.objects.update(secret_locked="whsec_of_an_older_site")
    lock: Callable[..., Any] = importlib.import_module("hooks.migrations.0002_lock_secrets").lock
    lock(apps, None)
    made.refresh_from_db()
    assert (made.secret, "whsec" in made.secret_locked) == ("whsec_of_an_older_site", False)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"url": "http://localhost/a"}, "A webhook goes to an https address"),
        ({"url": URL, "kinds": ["match.secret"]}, "Select a valid choice"),
        ({"url": URL, "subjects": "match:nothing"}, "You cannot listen to match:nothing."),
        ({"url": URL, "name": "x" * 61}, "at most 60"),
        ({}, "This field is required"),
    ],
)
def test_a_webhook_that_cannot_be_is_refused_on_the_page(hers: Client, said: dict[str, Any], sentence: str) -> None:
    page = hers.post("/settings/hooks/", said)
    assert (page.status_code, sentence in page.content.decode(), Hook.objects.count()) == (422, True, 0)


def test_a_webhook_is_changed_tried_switched_and_removed_on_its_page(hers: Client, ana: User) -> None:
    made = services.hook_add(user=ana, url=URL)
    here = f"/settings/hooks/{made.pk}/"
    assert hers.post(here, {"url": URL + "b", "name": "b", "kinds": ["notice"]}).status_code == 302
    assert hers.post(here + "try/").status_code == 302
    delivery = Delivery.objects.get()
    assert hers.post(f"{here}deliveries/{delivery.pk}/again/").status_code == 302
    assert "ping" in hers.get(here).content.decode()
    assert hers.post(here + "switch/").status_code == 302
    made.refresh_from_db()
    assert (made.url, made.kinds, made.active) == (URL + "b", ["notice"], False)
    assert hers.post(here + "remove/").status_code == 302
    assert Hook.objects.count() == 0


def test_the_webhook_of_another_is_not_there(hers: Client, bea: User) -> None:
    made = services.hook_add(user=bea, url=URL)
    for path in (f"/settings/hooks/{made.pk}/", "/settings/hooks/99999999999999999999999/"):
        assert hers.get(path).status_code == 404
    for end in ("switch", "secret", "try", "remove", "deliveries/1/again"):
        assert hers.post(f"/settings/hooks/{made.pk}/{end}/").status_code == 404
    assert Hook.objects.get().active is True


def test_webhooks_are_looked_after_over_the_api(program: Client, taker: Taker) -> None:
    made = program.post("/api/v1/hooks/", {"url": taker.url, "kinds": ["notice"]}, content_type="application/json")
    assert made.status_code == 201, made.content
    told = made.json()
    here = f"/api/v1/hooks/{told['id']}/"
    taker.secrets.add(told.pop("secret"))
    assert program.get(here).json() == told
    assert program.get("/api/v1/hooks/").json() == {"results": [told], "next": None}
    sent = program.post(f"{here}ping/", {}, content_type="application/json")
    assert (sent.status_code, sent.json()["kind"]) == (202, "ping")
    assert (services.deliver(), taker.kinds()) == (1, ["ping"])
    [delivery] = program.get(f"{here}deliveries/").json()["results"]
    assert (delivery["taken"], delivery["status"], delivery["tries"]) == (True, 204, 1)
    again = program.post(f"{here}deliveries/{delivery['id']}/again/", {}, content_type="application/json")
    assert again.status_code == 202
    changed = program.patch(here, {"active": False, "name": "b"}, content_type="application/json")
    assert (changed.status_code, changed.json()["active"], changed.json()["name"]) == (200, False, "b")
    assert program.post(f"{here}secret/", {}, content_type="application/json").json()["secret"].startswith("whsec_")
    assert program.delete(here).status_code == 204
    assert program.get(here).status_code == 404


def test_events_are_read_a_page_at_a_time(program: Client, ana: User) -> None:
    page = program.get("/api/v1/events/").json()
    assert page == {"results": [], "after": 0, "last": 0, "gone": False}
    for _ in range(3):
        play.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=False)
    services.events_take()
    page = program.get("/api/v1/events/", {"after": 0, "size": 2, "kinds": "match.created"}).json()
    assert ([one["number"] for one in page["results"]], page["after"], page["last"]) == ([1, 2], 2, 3)
    page = program.get("/api/v1/events/", {"after": 2}).json()
    assert ([one["number"] for one in page["results"]], page["after"]) == ([3], 3)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"after": "-1"}, 400, "invalid"),
        ({"after": "x"}, 400, "invalid"),
        ({"size": 201}, 400, "invalid"),
        ({"kinds": "match.secret"}, 400, "invalid"),
        ({"subjects": "user:1"}, 400, "invalid"),
        ({"subjects": "match:nothing"}, 409, "hook_subjects"),
        ({"what": 1}, 400, "unknown_field"),
    ],
)
def test_a_question_that_cannot_be_is_refused(program: Client, query: dict[str, Any], status: int, code: str) -> None:
    answer = program.get("/api/v1/events/", query)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_only_a_token_with_the_scope_hears(ana: User, person: Callable[..., User]) -> None:
    _token, text = programs.token_make(user=ana, name="reader", scopes=["read"])
    for path in ("/api/v1/events/", "/api/v1/hooks/", "/api/v1/events/stream/"):
        assert Client(headers={"Authorization": f"Bearer {text}"}).get(path).status_code == 403
        assert Client().get(path).status_code == 401
