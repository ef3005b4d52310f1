"""Acts, listeners and workers at the same moment, on PostgreSQL: nothing is lost, nothing is told twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import User
from games import services as play
from games.models import Match
from hooks import services
from hooks.models import Delivery, Event, Hook
from hooks.selectors.events import events_after
from tests.races import at_once
from tests.services.webhook_taker import Taker

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TERMS: dict[str, Any] = {"variant": "backgammon", "length": 3, "clock": "club", "rated": False}


def test_what_is_committed_late_is_told_after_what_was_committed_before_it(
    listen: Callable[..., Any], ana: User, bea: User
) -> None:
    """A match with an older row whose transaction ends later comes after one that began later: none is passed over."""
    hers, his = listen(ana), listen(bea)
    written, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        try:
            with transaction.atomic():
                play.match_create(creator=ana, **TERMS)
                written.set()
                go_on.wait(20)
        finally:
            connection.close()

    thread = threading.Thread(target=slow)
    thread.start()
    assert written.wait(20)
    play.match_create(creator=bea, **TERMS)
    assert (his.kinds(), hers.kinds()) == (["match.created"], [])
    go_on.set()
    thread.join()
    assert hers.kinds() == ["match.created"]
    first, second = Event.objects.order_by("number")
    assert (first.by, second.by) == (bea, ana)
    assert first.at > second.at


def test_many_workers_at_once_tell_each_thing_once_and_number_without_gaps(
    listen: Callable[..., Any], ana: User, open_table: Callable[..., Match]
) -> None:
    program = listen(ana)

    def plays() -> None:
        open_table()

    at_once(*[plays] * 4, *[services.events_take] * 4)
    services.events_take()
    told = [one for one in program.news() if one["kind"] != "notice"]
    assert sorted(one["kind"] for one in told) == ["match.created"] * 4 + ["match.started"] * 4
    numbers = list(Event.objects.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_reader_among_writers_passes_over_nothing(ana: User, listen: Callable[..., Any]) -> None:
    listen(ana)
    heard: list[int] = []
    done = threading.Event()

    def write() -> None:
        for _ in range(8):
            play.match_cancel(match_id=play.match_create(creator=ana, **TERMS).pk, user=ana)
            services.events_take()

    def read() -> None:
        after = 0
        while True:
            over = done.is_set()
            told, after = events_after(ana, [f"user:{ana.pk}"], after=after)
            heard.extend(one["number"] for one in told)
            if over and not told:
                return

    def writers() -> None:
        try:
            at_once(write, write)
        finally:
            done.set()

    at_once(writers, read)
    assert heard == list(Event.objects.order_by("number").values_list("number", flat=True))


def test_two_workers_send_each_thing_once(hook: Callable[..., Hook], taker: Taker, ana: User) -> None:
    made = hook(ana)
    for _ in range(6):
        services.hook_try(user=ana, hook_id=made.pk)
    taker.slow = 0.05
    at_once(*[services.deliver] * 4)
    while services.deliver():
        pass
    assert (len(taker.taken), len(set(taker.ids)), Delivery.objects.filter(taken=True).count()) == (6, 6, 6)
