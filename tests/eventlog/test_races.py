"""Concurrent actions, subscribers and workers on PostgreSQL: no event is lost or logged twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import User
from eventlog import services
from eventlog.models import Delivery, Event, Webhook
from eventlog.selectors.events import events_after
from games import services as play
from games.models import Match
from tests.concurrency import at_once
from tests.services.webhook_receiver import WebhookReceiver

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TERMS: dict[str, Any] = {"variant": "backgammon", "length": 3, "clock": "club", "rated": False}


def test_a_late_commit_is_logged_after_earlier_commits(subscribe: Callable[..., Any], ana: User, bea: User) -> None:
    """A match whose older row commits later is logged after one that began later; none is skipped."""
    ana_events, bea_events = subscribe(ana), subscribe(bea)
    written, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        try:
            with transaction.atomic():
                play.match_create(creator=ana, **TERMS)
                written.set()
                go_on.wait(60)
        finally:
            connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert written.wait(60)
    play.match_create(creator=bea, **TERMS)
    assert (bea_events.kinds(), ana_events.kinds()) == (["match.created"], [])
    go_on.set()
    thread.join()
    assert ana_events.kinds() == ["match.created"]
    first, second = Event.objects.order_by("number")
    assert (first.by, second.by) == (bea, ana)
    assert first.at > second.at


def test_concurrent_workers_log_each_event_once_without_gaps(
    subscribe: Callable[..., Any], ana: User, open_table: Callable[..., Match]
) -> None:
    app = subscribe(ana)

    def plays() -> None:
        open_table()

    at_once(*[plays] * 4, *[services.events_record] * 4)
    services.events_record()
    events = [event for event in app.news() if event["kind"] != "notice"]
    assert sorted(event["kind"] for event in events) == ["match.created"] * 4 + ["match.started"] * 4
    numbers = list(Event.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_reader_among_writers_misses_nothing(ana: User, subscribe: Callable[..., Any]) -> None:
    subscribe(ana)
    read_numbers: list[int] = []
    done = threading.Event()

    def write() -> None:
        for _ in range(8):
            play.match_cancel(match_id=play.match_create(creator=ana, **TERMS).pk, user=ana)
            services.events_record()

    def read() -> None:
        after = 0
        while True:
            over = done.is_set()
            events, after = events_after(ana, [f"user:{ana.pk}"], after=after)
            read_numbers.extend(event["number"] for event in events)
            if over and not events:
                return

    def writers() -> None:
        try:
            at_once(write, write)
        finally:
            done.set()

    at_once(writers, read)
    assert read_numbers == list(Event.objects.order_by("number").values_list("number", flat=True))


def test_two_workers_send_each_delivery_once(
    hook: Callable[..., Webhook], receiver: WebhookReceiver, ana: User
) -> None:
    made = hook(ana)
    for _ in range(6):
        services.webhook_ping(user=ana, hook_id=made.pk)
    receiver.slow = 0.05
    at_once(*[services.deliver] * 4)
    while services.deliver():
        pass
    assert (len(receiver.received), len(set(receiver.ids)), Delivery.objects.filter(taken=True).count()) == (6, 6, 6)
