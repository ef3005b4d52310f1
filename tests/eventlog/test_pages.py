"""The pages of webhooks, and the same over the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.programs import services as programs
from accounts.users.services import BACKEND
from eventlog import services
from eventlog.models import Delivery, Webhook
from games import services as play
from tests.services.webhook_receiver import WebhookReceiver

pytestmark = pytest.mark.django_db

URL = "https://hooks.example.net/a"


@pytest.fixture
def ana_client(client: Client, ana: User) -> Client:
    client.force_login(ana, backend=BACKEND)
    return client


@pytest.fixture
def app(ana: User) -> Client:
    _token, text = programs.token_create(user=ana, name="my program", scopes=["hooks"])
    return Client(headers={"Authorization": f"Bearer {text}"})


def test_a_webhook_is_created_on_its_page_and_its_secret_shown_once(ana_client: Client) -> None:
    page = ana_client.post("/settings/hooks/", {"url": URL, "name": "my robot", "kinds": ["notice"]}, follow=True)
    made = Webhook.objects.get()
    assert (page.status_code, made.secret in page.content.decode()) == (200, True)
    for path in ("/settings/hooks/", f"/settings/hooks/{made.pk}/", "/settings/"):
        page = ana_client.get(path)
        assert (page.status_code, made.secret in page.content.decode()) == (200, False)
    page = ana_client.post(f"/settings/hooks/{made.pk}/secret/", follow=True)
    assert Webhook.objects.get().secret in page.content.decode()
    assert Webhook.objects.get().secret != made.secret


def test_a_new_secret_is_shown_on_the_page_of_its_own_webhook_only(ana_client: Client, ana: User) -> None:
    first, second = (services.webhook_add(user=ana, url=URL) for _ in range(2))
    led = ana_client.post(f"/settings/hooks/{first.pk}/secret/")
    assert (led.status_code, led.headers["Location"]) == (302, f"/settings/hooks/{first.pk}/")
    secret = Webhook.objects.get(pk=first.pk).secret
    assert [
        secret in ana_client.get(f"/settings/hooks/{each.pk}/").content.decode() for each in (second, first, first)
    ] == [
        False,
        True,
        False,
    ]


def test_a_secret_is_stored_encrypted(ana: User) -> None:
    made = services.webhook_add(user=ana, url=URL)
    assert made.secret.startswith("whsec_")
    assert "whsec" not in made.secret_locked
    assert Webhook.objects.get().secret == made.secret


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"url": "http://localhost/a"}, "Use an https URL with a public host name"),
        ({"url": URL, "kinds": ["match.secret"]}, "Select a valid choice"),
        ({"url": URL, "subjects": "match:nothing"}, "You cannot subscribe to match:nothing."),
        ({"url": URL, "name": "x" * 61}, "at most 60"),
        ({}, "This field is required"),
    ],
)
def test_an_invalid_webhook_is_refused_on_the_page(ana_client: Client, fields: dict[str, Any], sentence: str) -> None:
    page = ana_client.post("/settings/hooks/", fields)
    assert (page.status_code, sentence in page.content.decode(), Webhook.objects.count()) == (422, True, 0)


def test_a_webhook_is_changed_tested_switched_and_deleted_on_its_page(ana_client: Client, ana: User) -> None:
    made = services.webhook_add(user=ana, url=URL)
    here = f"/settings/hooks/{made.pk}/"
    assert ana_client.post(here, {"url": URL + "b", "name": "b", "kinds": ["notice"]}).status_code == 302
    assert ana_client.post(here + "try/").status_code == 302
    delivery = Delivery.objects.get()
    assert ana_client.post(f"{here}deliveries/{delivery.pk}/again/").status_code == 302
    assert "ping" in ana_client.get(here).content.decode()
    assert ana_client.post(here + "switch/").status_code == 302
    made.refresh_from_db()
    assert (made.url, made.kinds, made.active) == (URL + "b", ["notice"], False)
    assert ana_client.post(here + "remove/").status_code == 302
    assert Webhook.objects.count() == 0


def test_another_users_webhook_is_not_found(ana_client: Client, bea: User) -> None:
    made = services.webhook_add(user=bea, url=URL)
    for path in (f"/settings/hooks/{made.pk}/", "/settings/hooks/99999999999999999999999/"):
        assert ana_client.get(path).status_code == 404
    for end in ("switch", "secret", "try", "remove", "deliveries/1/again"):
        assert ana_client.post(f"/settings/hooks/{made.pk}/{end}/").status_code == 404
    assert Webhook.objects.get().active is True


def test_webhooks_are_managed_over_the_api(app: Client, receiver: WebhookReceiver) -> None:
    made = app.post("/api/v1/hooks/", {"url": receiver.url, "kinds": ["notice"]}, content_type="application/json")
    assert made.status_code == 201, made.content
    webhook = made.json()
    here = f"/api/v1/hooks/{webhook['id']}/"
    receiver.secrets.add(webhook.pop("secret"))
    assert app.get(here).json() == webhook
    assert app.get("/api/v1/hooks/").json() == {"results": [webhook], "next": None}
    sent = app.post(f"{here}ping/", {}, content_type="application/json")
    assert (sent.status_code, sent.json()["kind"]) == (202, "ping")
    assert (services.deliver(), receiver.kinds()) == (1, ["ping"])
    [delivery] = app.get(f"{here}deliveries/").json()["results"]
    assert (delivery["taken"], delivery["status"], delivery["tries"]) == (True, 204, 1)
    repeated = app.post(f"{here}deliveries/{delivery['id']}/again/", {}, content_type="application/json")
    assert repeated.status_code == 202
    changed = app.patch(here, {"active": False, "name": "b"}, content_type="application/json")
    assert (changed.status_code, changed.json()["active"], changed.json()["name"]) == (200, False, "b")
    assert app.post(f"{here}secret/", {}, content_type="application/json").json()["secret"].startswith("whsec_")
    assert app.delete(here).status_code == 204
    assert app.get(here).status_code == 404


def test_events_are_read_a_page_at_a_time(app: Client, ana: User) -> None:
    page = app.get("/api/v1/events/").json()
    assert page == {"results": [], "after": 0, "last": 0, "gone": False}
    for _ in range(3):
        play.match_create(creator=ana, variant="backgammon", length=3, clock="club", rated=False)
    services.events_record()
    page = app.get("/api/v1/events/", {"after": 0, "size": 2, "kinds": "match.created"}).json()
    assert ([event["number"] for event in page["results"]], page["after"], page["last"]) == ([1, 2], 2, 3)
    page = app.get("/api/v1/events/", {"after": 2}).json()
    assert ([event["number"] for event in page["results"]], page["after"]) == ([3], 3)


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
def test_an_invalid_query_is_refused(app: Client, query: dict[str, Any], status: int, code: str) -> None:
    answer = app.get("/api/v1/events/", query)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_only_a_token_with_the_scope_reads_events(ana: User, person: Callable[..., User]) -> None:
    _token, text = programs.token_create(user=ana, name="reader", scopes=["read"])
    for path in ("/api/v1/events/", "/api/v1/hooks/", "/api/v1/events/stream/"):
        assert Client(headers={"Authorization": f"Bearer {text}"}).get(path).status_code == 403
        assert Client().get(path).status_code == 401
