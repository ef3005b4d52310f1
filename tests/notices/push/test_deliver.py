"""From a notice to the device: once, in the person's language, sealed; again when the service says so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import TransactionTestCase
from django.test.utils import CaptureQueriesContext

from accounts import outbound
from accounts.models import User
from games.database import now
from notices import services
from notices.models import Device, Notice, Push
from notices.push import club_key
from notices.push.terms import topic
from notices.services import devices
from notices.services import push as pushes
from notices.services.push import Outcome, deliver
from tests.services import push_service
from tests.services.push_service import PushService

pytestmark = pytest.mark.django_db

Subscribe = Callable[..., Device]
Write = Callable[..., Notice]


def later(**more: Any) -> timedelta:
    return timedelta(**more)


def test_a_notice_arrives_sealed_and_signed(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User
) -> None:
    device, one = subscribe(ana, name="phone"), notice(ana)
    assert deliver([one.pk]) == {one.pk: Outcome("done")}
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
    assert service.wrongs == []
    device.refresh_from_db()
    assert (device.heard_at is not None, device.failing_since) == (True, None)


@pytest.mark.parametrize(
    ("own", "page", "lang"),
    [("es", "en", "es"), ("en", "es", "en"), ("", "es", "es"), ("", "", "en"), ("", "xx", "en")],
)
def test_the_person_chooses_the_language_and_without_a_choice_the_page(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User, own: str, page: str, lang: str
) -> None:
    ana.language = own
    ana.save()
    subscribe(ana, language=page)
    deliver([notice(ana).pk])
    assert service.messages[0].word["lang"] == lang


def test_nothing_is_readable_on_the_way(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(ana)
    sent: list[outbound.Call] = []
    monkeypatch.setattr(
        outbound, "send_all", lambda calls, **more: sent.extend(calls) or [outbound.Answer(201)] * len(calls)
    )
    deliver([notice(ana).pk])
    clear = repr(sent[0])
    for secret in ("bea", "abcdefghjk", "Your move", "your_move", "ana"):
        assert secret not in clear


def test_every_device_is_told_once_however_often_it_is_asked(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User
) -> None:
    subscribe(ana)
    subscribe(ana)
    one = notice(ana)
    assert [deliver([one.pk])[one.pk].state for _ in range(3)] == ["done"] * 3
    assert len({each.path for each in service.messages}) == len(service.messages) == 2


def test_a_newer_word_about_the_same_thing_is_told_again(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User
) -> None:
    subscribe(ana)
    one = notice(ana)
    deliver([one.pk])
    Notice.objects.filter(pk=one.pk).update(at=now(), data={"from": "carlos"})
    assert deliver([one.pk]) == {one.pk: Outcome("done")}
    assert [each.word["body"] for each in service.messages] == [
        "It is your turn against bea.",
        "It is your turn against carlos.",
    ]
    assert len({each.headers["Topic"] for each in service.messages}) == 1


def test_without_devices_or_when_it_was_read_there_is_nothing_to_do(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User, bea: User
) -> None:
    subscribe(bea)
    nobody, read = notice(ana), notice(bea, read_at=now())
    stale = notice(bea, "reminder", until=now() - later(hours=1))
    assert deliver([nobody.pk, read.pk, stale.pk, 0]) == {
        each: Outcome("gone") for each in (nobody.pk, read.pk, stale.pk, 0)
    }
    assert service.calls == 0


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_forgotten(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User, status: int
) -> None:
    subscribe(ana)
    service.answers = [(status, {})]
    one = notice(ana)
    assert deliver([one.pk]) == {one.pk: Outcome("gone")}
    assert not Device.objects.exists()


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [(429, {"Retry-After": "300"}, 300), (503, {}, 60), (500, {"Retry-After": "garbage"}, 60)],
)
def test_a_busy_service_is_asked_again_when_it_says(
    service: PushService,
    subscribe: Subscribe,
    notice: Write,
    ana: User,
    status: int,
    headers: dict[str, str],
    seconds: int,
) -> None:
    device, one = subscribe(ana), notice(ana)
    service.answers = [(status, headers)]
    before = now()
    outcome = deliver([one.pk])[one.pk]
    assert outcome.state == "later"
    assert outcome.at is not None
    assert seconds <= (outcome.at - before).total_seconds() < seconds + 10
    device.refresh_from_db()
    assert device.failing_since is not None
    assert deliver([one.pk])[one.pk] == outcome  # too early: nobody is called
    assert service.calls == 1
    assert device.rests_until == outcome.at
    Push.objects.update(due_at=now())
    assert deliver([one.pk])[one.pk] == Outcome("done")
    device.refresh_from_db()
    assert (len(service.messages), device.failing_since, device.failures) == (1, None, 0)


def test_a_broken_service_is_called_ever_more_rarely_however_much_there_is_to_say(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User
) -> None:
    device = subscribe(ana)
    service.answers = [(503, {})] * 3
    pauses = []
    for n in range(3):
        Device.objects.update(rests_until=None)
        before = now()
        deliver([notice(ana, key=f"first{n}").pk])
        device.refresh_from_db()
        assert device.rests_until is not None
        pauses.append(round((device.rests_until - before).total_seconds() / 60))
    assert pauses == [1, 2, 4]
    another = notice(ana, key="another")
    assert deliver([another.pk]) == {another.pk: Outcome("later", device.rests_until)}
    assert service.calls == 3


def test_one_round_runs_at_a_time(service: PushService, subscribe: Subscribe, notice: Write, ana: User) -> None:
    subscribe(ana)
    one = notice(ana)
    cache.set(pushes.ROUND, 1)
    assert deliver([one.pk])[one.pk].state == "later"
    assert service.calls == 0
    cache.delete(pushes.ROUND)
    assert deliver([one.pk])[one.pk].state == "done"
    assert cache.get(pushes.ROUND) is None


def test_one_device_that_fails_does_not_ring_the_others_twice(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User
) -> None:
    subscribe(ana)
    subscribe(ana)
    one = notice(ana)
    service.answers = [(500, {})]
    assert deliver([one.pk])[one.pk].state == "later"
    Push.objects.filter(taken=False).update(due_at=now())
    assert deliver([one.pk])[one.pk].state == "done"
    assert (service.calls, len({each.path for each in service.messages})) == (3, 2)


def test_a_word_that_has_lost_its_sense_is_not_tried_any_more(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User
) -> None:
    subscribe(ana)
    one = notice(ana, "match_ready")
    service.answers = [(429, {"Retry-After": "7200"})]  # a match that is ready waits for half an hour
    assert deliver([one.pk])[one.pk] == Outcome("gone")
    assert Push.objects.get().due_at is None


@pytest.mark.parametrize("status", [307, 400, 401, 403, 413])
def test_what_a_service_refuses_is_not_sent_again(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User, status: int
) -> None:
    subscribe(ana)
    one = notice(ana)
    service.answers = [(status, {"Location": f"{service.origin}/elsewhere"})]
    assert [deliver([one.pk])[one.pk].state for _ in range(2)] == ["gone", "gone"]
    assert (service.calls, service.wrongs) == (1, [])


def test_a_device_that_never_works_is_forgotten_after_two_weeks(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User
) -> None:
    device = subscribe(ana)
    Device.objects.update(failing_since=now() - later(days=15))
    service.answers = [(503, {})]
    one = notice(ana)
    assert deliver([one.pk])[one.pk] == Outcome("gone")
    assert not Device.objects.filter(pk=device.pk).exists()


def test_a_slow_service_holds_up_nobody(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User, bea: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_all = outbound.send_all
    monkeypatch.setattr(outbound, "send_all", lambda calls, **more: send_all(calls, seconds=0.3, **more))
    subscribe(ana)
    with push_service.running() as quick:
        told = quick.subscribe(devices.own_key().public)
        keys = told["keys"]
        devices.device_add(user=bea, endpoint=told["endpoint"], receiver=keys["p256dh"], auth=keys["auth"])
        service.slow = 1.5
        slow, fast = notice(ana), notice(bea)
        outcomes = deliver([slow.pk, fast.pk])
        assert len(quick.messages) == 1
    assert (outcomes[slow.pk].state, outcomes[fast.pk].state) == ("later", "done")


def test_a_notice_that_cannot_be_written_holds_up_nobody(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User
) -> None:
    subscribe(ana)
    strange, usual = notice(ana, "no_such_kind"), notice(ana)
    assert deliver([strange.pk, usual.pk]) == {strange.pk: Outcome("gone"), usual.pk: Outcome("done")}


def test_a_device_of_another_key_is_left_alone_until_it_is_added_again(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User, settings: Any
) -> None:
    subscribe(ana)
    settings.VAPID_PRIVATE_KEY = club_key.made().private
    devices.own_key.cache_clear()
    try:
        one = notice(ana)
        assert deliver([one.pk]) == {one.pk: Outcome("gone")}
        assert (service.calls, Device.objects.count()) == (0, 1)
    finally:
        devices.own_key.cache_clear()


def test_a_worker_that_died_with_a_message_is_followed_by_another(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribe(ana)
    one = notice(ana)

    def dies(*args: object, **more: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(outbound, "send_all", dies)
        with pytest.raises(SystemExit):
            deliver([one.pk])
    assert deliver([one.pk])[one.pk].state == "later"  # it belongs to the dead one for a minute
    Push.objects.update(due_at=now())
    assert deliver([one.pk])[one.pk].state == "done"
    assert len(service.messages) == 1


def test_the_queries_do_not_grow_with_the_people(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User, bea: User, carlos: User
) -> None:
    """A few for each message (it is taken, the device was heard, it is over), the others once."""
    for person in (ana, bea, carlos):
        subscribe(person)

    def queries(ids: list[int]) -> int:
        with CaptureQueriesContext(connection) as context:
            deliver(ids)
        return len(context)

    one = queries([notice(ana).pk])
    three = queries([notice(each, key="mnpqrstuvw").pk for each in (ana, bea, carlos)])
    each = (three - one) / 2
    assert (each <= 4, one - each <= 9) == (True, True), (one, three)


def test_the_sweep_sends_what_is_due_and_keeps_the_moment_of_the_rest(
    service: PushService, subscribe: Subscribe, notice: Write, ana: User
) -> None:
    subscribe(ana)
    due, not_yet = notice(ana), notice(ana, key="mnpqrstuvw", push_due_at=now() + later(hours=1))
    service.answers = [(429, {"Retry-After": "600"})]
    assert services.pushes_send() == 0
    due.refresh_from_db()
    assert due.push_due_at == Push.objects.get().due_at
    Push.objects.update(due_at=now())
    Notice.objects.filter(pk=due.pk).update(push_due_at=now())
    assert services.pushes_send() == 1
    due.refresh_from_db()
    not_yet.refresh_from_db()
    assert (due.push_due_at, due.pushed_at is not None) == (None, True)
    assert (not_yet.push_due_at is not None, len(service.messages)) == (True, 1)


def test_a_device_is_tried_at_once(service: PushService, subscribe: Subscribe, ana: User) -> None:
    device = subscribe(ana, language="en")
    pushes.device_try(device_id=device.pk)
    (message,) = service.messages
    assert (message.word["title"], message.word["url"]) == ("Notices arrive here", "/settings/notices/")
    assert (message.headers["Urgency"], int(message.headers["TTL"]) <= 300) == ("high", True)
    service.unsubscribe(device.endpoint)
    pushes.device_try(device_id=device.pk)
    assert not Device.objects.exists()
    pushes.device_try(device_id=device.pk)


@pytest.mark.postgres
class Races(TransactionTestCase):
    """Two workers with the same notices at the same moment, as when a round takes longer than its lock."""

    def test_each_device_is_told_once(self) -> None:
        ana = User.objects.create_user("ana")
        with push_service.running() as service, self.settings(PUSH_LOOPBACK=True):
            for _ in range(3):
                told = service.subscribe(devices.own_key().public)
                keys = told["keys"]
                devices.device_add(user=ana, endpoint=told["endpoint"], receiver=keys["p256dh"], auth=keys["auth"])
            facts = {"data": {"from": "bea"}, "url": "/", "at": now()}
            ids = [Notice.objects.create(user=ana, kind="your_move", key=f"m{n}", **facts).pk for n in range(5)]
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
