"""Webhooks: signed deliveries to a real local server, retries after failures, and refused URLs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from accounts.relationships import selectors as relationship_selectors
from accounts.relationships import services as relationships
from eventlog import services
from eventlog.errors import Refused
from eventlog.models import Delivery, Webhook
from eventlog.services import deliveries
from games import services as play
from games.models import Match
from notifications.models import Notification
from tests.services.webhook_receiver import WebhookReceiver

pytestmark = pytest.mark.django_db

Make = Callable[..., Webhook]
Table = Callable[..., Match]
PLAY = ["match.created", "match.started", "match.acted", "match.finished"]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that moves the clock of deliveries."""
    real, ahead = deliveries.now, timedelta(0)

    def forward(**time: float) -> None:
        nonlocal ahead
        ahead += timedelta(**time)

    def moment() -> datetime:
        return real() + ahead

    monkeypatch.setattr(deliveries, "now", moment)
    return forward


def sent() -> int:
    services.events_record()
    return services.deliver()


def refused(code: str, service: Callable[..., Any], **fields: Any) -> None:
    before = list(Webhook.objects.values())
    with pytest.raises(Refused) as error:
        service(**fields)
    assert error.value.code == code
    assert list(Webhook.objects.values()) == before


# Deliveries


def test_events_arrive_with_a_signature_that_the_documented_code_accepts(
    hook: Make, receiver: WebhookReceiver, ana: User, open_table: Table
) -> None:
    hook(ana, kinds=PLAY)
    match = open_table()
    assert sent() == 2
    assert sorted(receiver.kinds()) == ["match.created", "match.started"]
    [created] = [event for event in receiver.received if event["type"] == "match.created"]
    assert created["timestamp"] == match.created_at.isoformat()
    assert (created["data"]["subject"], created["data"]["by"]) == (f"match:{match.pk}", "ana")
    assert (receiver.errors, Delivery.objects.filter(taken=True, status=204, tries=1).count()) == ([], 2)
    assert sent() == 0


def test_a_wrong_secret_is_rejected_and_a_rotated_one_accepted(
    hook: Make, receiver: WebhookReceiver, ana: User
) -> None:
    made = hook(ana)
    services.webhook_secret_renew(user=ana, hook_id=made.pk)
    services.webhook_ping(user=ana, hook_id=made.pk)
    assert (sent(), receiver.received, receiver.errors) == (1, [], ["a false signature"])
    made.refresh_from_db()
    receiver.secrets.add(made.secret)
    made.rests_until = None
    made.save()
    services.delivery_repeat(user=ana, hook_id=made.pk, delivery_id=Delivery.objects.get().pk)
    assert (sent(), receiver.kinds()) == (1, ["ping"])


def test_only_the_chosen_kinds_arrive(hook: Make, receiver: WebhookReceiver, ana: User, open_table: Table) -> None:
    hook(ana, kinds=["match.started"])
    open_table()
    sent()
    assert receiver.kinds() == ["match.started"]


def test_events_arrive_only_while_the_owner_may_see_them(
    hook: Make, receiver: WebhookReceiver, ana: User, bea: User, carlos: User, open_table: Table
) -> None:
    match = open_table()
    hook(carlos, subjects=[f"match:{match.pk}"], kinds=PLAY)
    play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
    sent()
    assert receiver.kinds() == ["match.acted"]
    play.match_act(match_id=match.pk, user_id=bea.pk, action="roll", client_id="b1")
    services.events_record()
    relationships.relationship_create(
        by=bea, about=carlos, kind=relationship_selectors.BLOCK
    )  # between the event and its delivery
    assert (services.deliver(), receiver.kinds()) == (0, ["match.acted"])
    assert Delivery.objects.filter(why="not permitted", due_at=None, taken=False).count() == 1


def test_a_ping_is_sent_and_rate_limited(hook: Make, receiver: WebhookReceiver, ana: User) -> None:
    made = hook(ana)
    for _ in range(10):
        services.webhook_ping(user=ana, hook_id=made.pk)
    refused("hook_often", services.webhook_ping, user=ana, hook_id=made.pk)
    sent()
    assert set(receiver.kinds()) == {"ping"}


# Failures


def test_a_failed_delivery_is_retried_under_the_same_id(
    hook: Make, receiver: WebhookReceiver, ana: User, later: Callable[..., None]
) -> None:
    made = hook(ana)
    services.webhook_ping(user=ana, hook_id=made.pk)
    receiver.answers = [500, 302, 200]
    assert (sent(), sent()) == (1, 0)
    for wait in (11, 31):
        later(seconds=wait)
        assert sent() == 1
    assert receiver.kinds() == ["ping"]
    assert (len(receiver.ids), len(set(receiver.ids)), receiver.errors) == (3, 1, [])
    made.refresh_from_db()
    assert (made.failing_since, made.failures, made.rests_until) == (None, 0, None)


def test_a_failing_webhook_is_tried_one_delivery_at_a_time_and_delays_no_other(
    hook: Make, receiver: WebhookReceiver, ana: User, bea: User, open_table: Table, later: Callable[..., None]
) -> None:
    hook(ana, kinds=PLAY)
    Webhook.objects.update(url="http://127.0.0.1:9/closed")
    hook(bea, kinds=PLAY)
    open_table()
    open_table()
    assert sent() == 8
    assert len(receiver.received) == 4
    later(seconds=60)
    assert sent() == 1


def test_after_days_of_failures_it_is_switched_off_and_its_owner_notified(
    hook: Make, receiver: WebhookReceiver, ana: User, later: Callable[..., None]
) -> None:
    made = hook(ana, name="my robot")
    services.webhook_ping(user=ana, hook_id=made.pk)
    receiver.answers = [500] * 20
    for _ in range(14):
        sent()
        later(hours=6)
    made.refresh_from_db()
    assert (made.active, made.gave_up_at is not None, Delivery.objects.exclude(due_at=None).count()) == (False, True, 0)
    [notification] = Notification.objects.filter(user=ana, kind="hook_off")
    assert (notification.data, notification.url) == ({"title": "my robot"}, f"/settings/hooks/{made.pk}/")
    refused("hook_off", services.webhook_ping, user=ana, hook_id=made.pk)
    services.webhook_change(user=ana, hook_id=made.pk, active=True)
    receiver.answers = []
    services.webhook_ping(user=ana, hook_id=made.pk)
    assert sent() == 1


def test_a_gone_url_is_switched_off_at_once(hook: Make, receiver: WebhookReceiver, ana: User) -> None:
    made = hook(ana)
    services.webhook_ping(user=ana, hook_id=made.pk)
    receiver.answers = [410]
    sent()
    made.refresh_from_db()
    assert made.active is False


def test_a_webhook_switched_on_again_starts_afresh(
    hook: Make, receiver: WebhookReceiver, ana: User, open_table: Table
) -> None:
    made = hook(ana, kinds=PLAY)
    services.webhook_change(user=ana, hook_id=made.pk, active=False)
    open_table()
    assert sent() == 0
    services.webhook_change(user=ana, hook_id=made.pk, active=True)
    assert sent() == 0
    open_table()
    assert sent() == 2


def test_nothing_is_sent_for_a_banned_user(hook: Make, receiver: WebhookReceiver, ana: User) -> None:
    made = hook(ana)
    services.webhook_ping(user=ana, hook_id=made.pk)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert (sent(), receiver.calls) == (0, 0)


# Limits


@pytest.mark.parametrize(
    "url",
    [
        "http://example.net/a",
        "https://127.0.0.1/a",
        "https://localhost/a",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://printer.local/a",
        "https://example.net:8443/a",
        "https://ana:b@example.net/a",
        "ftp://example.net/",
        "x" * 2001,
        "",
    ],
)
def test_only_https_urls_of_public_hosts_are_accepted(ana: User, url: str) -> None:
    refused("hook_url", services.webhook_add, user=ana, url=url)


def test_a_host_that_resolves_to_a_private_address_is_not_called(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    from accounts.web import outbound_http

    monkeypatch.setattr(outbound_http.socket, "getaddrinfo", lambda *a, **more: [(2, 1, 6, "", ("10.0.0.7", 443))])
    made = services.webhook_add(user=ana, url="https://hooks.example.net/a")
    services.webhook_ping(user=ana, hook_id=made.pk)
    sent()
    assert Delivery.objects.get().why == "not public"


def test_guests_and_bots_have_no_webhooks_and_members_ten(ana: User, person: Callable[..., User]) -> None:
    url = "https://hooks.example.net/a"
    refused("hook_member", services.webhook_add, user=person("guest-1", is_guest=True), url=url)
    refused("hook_member", services.webhook_add, user=person("robo", is_bot=True, owner=ana), url=url)
    for _ in range(10):
        services.webhook_add(user=ana, url=url)
    refused("hook_most", services.webhook_add, user=ana, url=url)


def test_a_user_cannot_change_another_users_webhook(hook: Make, ana: User, bea: User) -> None:
    made = hook(ana)
    delivery = services.webhook_ping(user=ana, hook_id=made.pk)
    refused("no_hook", services.webhook_change, user=bea, hook_id=made.pk, name="mine")
    refused("no_hook", services.webhook_remove, user=bea, hook_id=made.pk)
    refused("no_hook", services.webhook_secret_renew, user=bea, hook_id=made.pk)
    refused("no_hook", services.webhook_ping, user=bea, hook_id=made.pk)
    refused("no_delivery", services.delivery_repeat, user=bea, hook_id=made.pk, delivery_id=delivery.pk)
    refused("hook_kinds", services.webhook_add, user=bea, url=made.url, kinds=["match.secret"])
    refused("hook_subjects", services.webhook_add, user=bea, url=made.url, subjects=["match:nothing"])
