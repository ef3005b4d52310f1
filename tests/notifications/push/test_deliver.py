"""From a notification to the device: once, in the user's language, encrypted; retried when the service asks."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import TransactionTestCase
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.web import outbound_http
from games.database import now
from notifications import services
from notifications.models import Notification, PushDevice, PushMessage
from notifications.push import vapid_key
from notifications.push.protocol import topic
from notifications.services import devices
from notifications.services import push as pushes
from notifications.services.push import DeliveryOutcome, deliver
from tests.services import push_service
from tests.services.push_service import PushService

pytestmark = pytest.mark.django_db

Subscribe = Callable[..., PushDevice]
Write = Callable[..., Notification]


def later(**more: Any) -> timedelta:
    return timedelta(**more)


def test_a_notification_arrives_encrypted_and_signed(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User
) -> None:
    device, notification = subscribe(ana, name="phone"), notify(ana)
    assert deliver([notification.pk]) == {notification.pk: DeliveryOutcome("done")}
    (message,) = service.messages
    assert message.word == {
        "title": "Your move",
        "body": "It is your turn against bea.",
        "url": "/match/abcdefghjk/",
        "tag": "your_move:abcdefghjk",
        "lang": "en",
    }
    assert message.claims["sub"] == "mailto:tablero@localhost"
    assert (message.headers["Urgency"], message.headers["Topic"]) == ("normal", topic("your_move:abcdefghjk"))
    assert 86_390 <= int(message.headers["TTL"]) <= 86_400
    assert service.errors == []
    device.refresh_from_db()
    assert (device.heard_at is not None, device.failing_since) == (True, None)


@pytest.mark.parametrize(
    ("own", "page", "lang"),
    [("es", "en", "es"), ("en", "es", "en"), ("", "es", "es"), ("", "", "en"), ("", "xx", "en")],
)
def test_the_language_is_the_users_choice_else_that_of_the_page(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User, own: str, page: str, lang: str
) -> None:
    ana.language = own
    ana.save()
    subscribe(ana, language=page)
    deliver([notify(ana).pk])
    assert service.messages[0].word["lang"] == lang


def test_nothing_is_readable_in_transit(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(ana)
    sent: list[outbound_http.Call] = []
    monkeypatch.setattr(
        outbound_http, "send_all", lambda calls, **more: sent.extend(calls) or [outbound_http.Answer(201)] * len(calls)
    )
    deliver([notify(ana).pk])
    (call,) = sent
    # The body as bytes: its repr has letters of its own, as in \xbea; keys and signatures can spell any short name.
    clear = re.sub(r"[\w.-]{40,}", "", repr(replace(call, body=b"")))
    for secret in ("bea", "abcdefghjk", "Your move", "your_move", "ana"):
        assert secret not in clear
    for secret in ("against bea", "abcdefghjk", "Your move", "your_move"):
        assert secret.encode() not in call.body


def test_every_device_is_notified_once_despite_repeated_calls(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User
) -> None:
    subscribe(ana)
    subscribe(ana)
    notification = notify(ana)
    assert [deliver([notification.pk])[notification.pk].state for _ in range(3)] == ["done"] * 3
    assert len({each.path for each in service.messages}) == len(service.messages) == 2


def test_an_updated_notification_is_sent_again(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User
) -> None:
    subscribe(ana)
    notification = notify(ana)
    deliver([notification.pk])
    Notification.objects.filter(pk=notification.pk).update(at=now(), data={"from": "carlos"})
    assert deliver([notification.pk]) == {notification.pk: DeliveryOutcome("done")}
    assert [each.word["body"] for each in service.messages] == [
        "It is your turn against bea.",
        "It is your turn against carlos.",
    ]
    assert len({each.headers["Topic"] for each in service.messages}) == 1


def test_nothing_is_sent_without_devices_or_when_already_read(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User, bea: User
) -> None:
    subscribe(bea)
    without_device, read = notify(ana), notify(bea, read_at=now())
    stale = notify(bea, "reminder", until=now() - later(hours=1))
    assert deliver([without_device.pk, read.pk, stale.pk, 0]) == {
        each: DeliveryOutcome("gone") for each in (without_device.pk, read.pk, stale.pk, 0)
    }
    assert service.calls == 0


@pytest.mark.parametrize("status", [404, 410])
def test_a_gone_subscription_is_deleted(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User, status: int
) -> None:
    subscribe(ana)
    service.answers = [(status, {})]
    notification = notify(ana)
    assert deliver([notification.pk]) == {notification.pk: DeliveryOutcome("gone")}
    assert not PushDevice.objects.exists()


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [(429, {"Retry-After": "300"}, 300), (503, {}, 60), (500, {"Retry-After": "garbage"}, 60)],
)
def test_a_busy_service_is_retried_when_it_asks(
    service: PushService,
    subscribe: Subscribe,
    notify: Write,
    ana: User,
    status: int,
    headers: dict[str, str],
    seconds: int,
) -> None:
    device, notification = subscribe(ana), notify(ana)
    service.answers = [(status, headers)]
    before = now()
    outcome = deliver([notification.pk])[notification.pk]
    assert outcome.state == "later"
    assert outcome.at is not None
    assert seconds <= (outcome.at - before).total_seconds() < seconds + 10
    device.refresh_from_db()
    assert device.failing_since is not None
    assert deliver([notification.pk])[notification.pk] == outcome  # too early: no service is called
    assert service.calls == 1
    assert device.rests_until == outcome.at
    PushMessage.objects.update(due_at=now())
    assert deliver([notification.pk])[notification.pk] == DeliveryOutcome("done")
    device.refresh_from_db()
    assert (len(service.messages), device.failing_since, device.failures) == (1, None, 0)


def test_a_failing_service_is_retried_with_growing_delays(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User
) -> None:
    device = subscribe(ana)
    service.answers = [(503, {})] * 3
    pauses = []
    for n in range(3):
        PushDevice.objects.update(rests_until=None)
        before = now()
        deliver([notify(ana, key=f"first{n}").pk])
        device.refresh_from_db()
        assert device.rests_until is not None
        pauses.append(round((device.rests_until - before).total_seconds() / 60))
    assert pauses == [1, 2, 4]
    another = notify(ana, key="another")
    assert deliver([another.pk]) == {another.pk: DeliveryOutcome("later", device.rests_until)}
    assert service.calls == 3


def test_one_round_runs_at_a_time(service: PushService, subscribe: Subscribe, notify: Write, ana: User) -> None:
    subscribe(ana)
    notification = notify(ana)
    cache.set(pushes.ROUND, 1)
    assert deliver([notification.pk])[notification.pk].state == "later"
    assert service.calls == 0
    cache.delete(pushes.ROUND)
    assert deliver([notification.pk])[notification.pk].state == "done"
    assert cache.get(pushes.ROUND) is None


def test_a_failing_device_does_not_notify_the_others_twice(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User
) -> None:
    subscribe(ana)
    subscribe(ana)
    notification = notify(ana)
    service.answers = [(500, {})]
    assert deliver([notification.pk])[notification.pk].state == "later"
    PushMessage.objects.filter(taken=False).update(due_at=now())
    assert deliver([notification.pk])[notification.pk].state == "done"
    assert (service.calls, len({each.path for each in service.messages})) == (3, 2)


def test_an_expired_notification_is_not_retried(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User
) -> None:
    subscribe(ana)
    notification = notify(ana, "match_ready")
    service.answers = [(429, {"Retry-After": "7200"})]  # the notification of a ready match expires after half an hour
    assert deliver([notification.pk])[notification.pk] == DeliveryOutcome("gone")
    assert PushMessage.objects.get().due_at is None


@pytest.mark.parametrize("status", [307, 400, 401, 403, 413])
def test_a_rejected_notification_is_not_sent_again(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User, status: int
) -> None:
    subscribe(ana)
    notification = notify(ana)
    service.answers = [(status, {"Location": f"{service.origin}/elsewhere"})]
    assert [deliver([notification.pk])[notification.pk].state for _ in range(2)] == ["gone", "gone"]
    assert (service.calls, service.errors) == (1, [])


def test_a_device_that_never_works_is_deleted_after_two_weeks(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User
) -> None:
    device = subscribe(ana)
    PushDevice.objects.update(failing_since=now() - later(days=15))
    service.answers = [(503, {})]
    notification = notify(ana)
    assert deliver([notification.pk])[notification.pk] == DeliveryOutcome("gone")
    assert not PushDevice.objects.filter(pk=device.pk).exists()


def test_a_slow_service_does_not_delay_the_others(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_all = outbound_http.send_all
    monkeypatch.setattr(outbound_http, "send_all", lambda calls, **more: send_all(calls, seconds=0.3, **more))
    subscribe(ana)
    with push_service.running() as quick:
        subscription = quick.subscribe(devices.vapid_key().public)
        keys = subscription["keys"]
        devices.device_add(user=bea, endpoint=subscription["endpoint"], receiver=keys["p256dh"], auth=keys["auth"])
        service.slow = 1.5
        slow, fast = notify(ana), notify(bea)
        outcomes = deliver([slow.pk, fast.pk])
        assert len(quick.messages) == 1
    assert (outcomes[slow.pk].state, outcomes[fast.pk].state) == ("later", "done")


def test_a_notification_that_cannot_be_rendered_does_not_delay_the_others(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User
) -> None:
    subscribe(ana)
    strange, usual = notify(ana, "no_such_kind"), notify(ana)
    assert deliver([strange.pk, usual.pk]) == {strange.pk: DeliveryOutcome("gone"), usual.pk: DeliveryOutcome("done")}


def test_a_device_of_another_key_is_skipped_until_it_subscribes_again(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User, settings: Any
) -> None:
    subscribe(ana)
    settings.VAPID_PRIVATE_KEY = vapid_key.generate_key().private
    devices.vapid_key.cache_clear()
    try:
        notification = notify(ana)
        assert deliver([notification.pk]) == {notification.pk: DeliveryOutcome("gone")}
        assert (service.calls, PushDevice.objects.count()) == (0, 1)
    finally:
        devices.vapid_key.cache_clear()


def test_another_worker_takes_over_after_a_crash(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(ana)
    notification = notify(ana)

    def dies(*args: object, **more: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(outbound_http, "send_all", dies)
        with pytest.raises(SystemExit):
            deliver([notification.pk])
    assert deliver([notification.pk])[notification.pk].state == "later"  # the dead worker holds the lease for a minute
    PushMessage.objects.update(due_at=now())
    assert deliver([notification.pk])[notification.pk].state == "done"
    assert len(service.messages) == 1


def test_the_number_of_queries_does_not_grow_with_the_users(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User, bea: User, carlos: User
) -> None:
    """A few queries for each message (claim, device state, completion), the others once."""
    for person in (ana, bea, carlos):
        subscribe(person)

    def queries(ids: list[int]) -> int:
        with CaptureQueriesContext(connection) as context:
            deliver(ids)
        return len(context)

    queries_for_one = queries([notify(ana).pk])
    queries_for_three = queries([notify(user, key="mnpqrstuvw").pk for user in (ana, bea, carlos)])
    queries_per_user = (queries_for_three - queries_for_one) / 2
    assert (queries_per_user <= 4, queries_for_one - queries_per_user <= 9) == (True, True), (
        queries_for_one,
        queries_for_three,
    )


def test_the_sweep_sends_what_is_due_and_keeps_the_rest_scheduled(
    service: PushService, subscribe: Subscribe, notify: Write, ana: User
) -> None:
    subscribe(ana)
    due, not_yet = notify(ana), notify(ana, key="mnpqrstuvw", push_due_at=now() + later(hours=1))
    service.answers = [(429, {"Retry-After": "600"})]
    assert services.pushes_send() == 0
    due.refresh_from_db()
    assert due.push_due_at == PushMessage.objects.get().due_at
    PushMessage.objects.update(due_at=now())
    Notification.objects.filter(pk=due.pk).update(push_due_at=now())
    assert services.pushes_send() == 1
    due.refresh_from_db()
    not_yet.refresh_from_db()
    assert (due.push_due_at, due.pushed_at is not None) == (None, True)
    assert (not_yet.push_due_at is not None, len(service.messages)) == (True, 1)


def test_a_test_notification_is_sent_at_once(service: PushService, subscribe: Subscribe, ana: User) -> None:
    device = subscribe(ana, language="en")
    pushes.device_try(device_id=device.pk)
    (message,) = service.messages
    assert (message.word["title"], message.word["url"]) == ("Notifications are on", "/settings/notices/")
    assert (message.headers["Urgency"], int(message.headers["TTL"]) <= 300) == ("high", True)
    service.unsubscribe(device.endpoint)
    pushes.device_try(device_id=device.pk)
    assert not PushDevice.objects.exists()
    pushes.device_try(device_id=device.pk)


@pytest.mark.postgres
class Races(TransactionTestCase):
    """Two workers with the same notifications at once, as when a run outlives its lock."""

    def test_each_device_is_notified_once(self) -> None:
        ana = User.objects.create_user("ana")
        with push_service.running() as service, self.settings(PUSH_LOOPBACK=True):
            for _ in range(3):
                subscription = service.subscribe(devices.vapid_key().public)
                keys = subscription["keys"]
                devices.device_add(
                    user=ana, endpoint=subscription["endpoint"], receiver=keys["p256dh"], auth=keys["auth"]
                )
            facts = {"data": {"from": "bea"}, "url": "/", "at": now()}
            ids = [Notification.objects.create(user=ana, kind="your_move", key=f"m{n}", **facts).pk for n in range(5)]
            barrier = threading.Barrier(4)

            def work() -> None:
                barrier.wait()
                pushes._round(ids)
                connection.close()

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(service.messages) == 15
            assert len({(each.path, each.word["tag"]) for each in service.messages}) == 15
