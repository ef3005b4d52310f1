"""Webhooks: what arrives at a real program on this machine, signed, once more where it failed, and never elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts import ties
from accounts.models import User
from games import services as play
from games.models import Match
from hooks import services
from hooks.errors import Refused
from hooks.models import Delivery, Hook
from hooks.services import deliveries
from notices.models import Notice
from tests.services.webhook_taker import Taker

pytestmark = pytest.mark.django_db

Make = Callable[..., Hook]
Table = Callable[..., Match]
PLAY = ["match.created", "match.started", "match.acted", "match.finished"]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A function that lets time pass for what is sent."""
    real, ahead = deliveries.now, timedelta(0)

    def forward(**time: float) -> None:
        nonlocal ahead
        ahead += timedelta(**time)

    def moment() -> datetime:
        return real() + ahead

    monkeypatch.setattr(deliveries, "now", moment)
    return forward


def sent() -> int:
    services.events_take()
    return services.deliver()


def refused(code: str, service: Callable[..., Any], **said: Any) -> None:
    before = list(Hook.objects.values())
    with pytest.raises(Refused) as error:
        service(**said)
    assert error.value.code == code
    assert list(Hook.objects.values()) == before


# What arrives


def test_events_arrive_with_a_signature_that_the_documented_lines_accept(
    hook: Make, taker: Taker, ana: User, open_table: Table
) -> None:
    hook(ana, kinds=PLAY)
    match = open_table()
    assert sent() == 2
    assert sorted(taker.kinds()) == ["match.created", "match.started"]
    [created] = [one for one in taker.taken if one["type"] == "match.created"]
    assert created["timestamp"] == match.created_at.isoformat()
    assert (created["data"]["subject"], created["data"]["by"]) == (f"match:{match.pk}", "ana")
    assert (taker.wrongs, Delivery.objects.filter(taken=True, status=204, tries=1).count()) == ([], 2)
    assert sent() == 0


def test_another_secret_is_not_accepted_and_a_new_one_is(hook: Make, taker: Taker, ana: User) -> None:
    made = hook(ana)
    services.hook_secret_renew(user=ana, hook_id=made.pk)
    services.hook_try(user=ana, hook_id=made.pk)
    assert (sent(), taker.taken, taker.wrongs) == (1, [], ["a false signature"])
    made.refresh_from_db()
    taker.secrets.add(made.secret)
    made.rests_until = None
    made.save()
    services.delivery_again(user=ana, hook_id=made.pk, delivery_id=Delivery.objects.get().pk)
    assert (sent(), taker.kinds()) == (1, ["ping"])


def test_only_the_kinds_that_were_chosen_arrive(hook: Make, taker: Taker, ana: User, open_table: Table) -> None:
    hook(ana, kinds=["match.started"])
    open_table()
    sent()
    assert taker.kinds() == ["match.started"]


def test_what_is_asked_for_arrives_only_while_its_owner_may_see_it(
    hook: Make, taker: Taker, ana: User, bea: User, carlos: User, open_table: Table
) -> None:
    match = open_table()
    hook(carlos, subjects=[f"match:{match.pk}"], kinds=PLAY)
    play.match_act(match_id=match.pk, user_id=ana.pk, action="roll", client_id="a1")
    sent()
    assert taker.kinds() == ["match.acted"]
    play.match_act(match_id=match.pk, user_id=bea.pk, action="roll", client_id="b1")
    services.events_take()
    ties.tie_make(by=bea, about=carlos, kind=ties.BLOCK)  # between the event and its delivery
    assert (services.deliver(), taker.kinds()) == (0, ["match.acted"])
    assert Delivery.objects.filter(why="not heard", due_at=None, taken=False).count() == 1


def test_a_ping_is_sent_and_not_without_end(hook: Make, taker: Taker, ana: User) -> None:
    made = hook(ana)
    for _ in range(10):
        services.hook_try(user=ana, hook_id=made.pk)
    refused("hook_often", services.hook_try, user=ana, hook_id=made.pk)
    sent()
    assert set(taker.kinds()) == {"ping"}


# What fails


def test_what_fails_is_sent_again_later_under_the_same_id(
    hook: Make, taker: Taker, ana: User, later: Callable[..., None]
) -> None:
    made = hook(ana)
    services.hook_try(user=ana, hook_id=made.pk)
    taker.answers = [500, 302, 200]
    assert (sent(), sent()) == (1, 0)
    for wait in (11, 31):
        later(seconds=wait)
        assert sent() == 1
    assert taker.kinds() == ["ping"]
    assert (len(taker.ids), len(set(taker.ids)), taker.wrongs) == (3, 1, [])
    made.refresh_from_db()
    assert (made.failing_since, made.failures, made.rests_until) == (None, 0, None)


def test_one_that_fails_is_tried_with_one_delivery_at_a_time_and_holds_up_no_other(
    hook: Make, taker: Taker, ana: User, bea: User, open_table: Table, later: Callable[..., None]
) -> None:
    hook(ana, kinds=PLAY)
    Hook.objects.update(url="http://127.0.0.1:9/closed")
    hook(bea, kinds=PLAY)
    open_table()
    open_table()
    assert sent() == 8
    assert len(taker.taken) == 4
    later(seconds=60)
    assert sent() == 1


def test_after_days_of_failures_it_rests_and_its_owner_is_told(
    hook: Make, taker: Taker, ana: User, later: Callable[..., None]
) -> None:
    made = hook(ana, name="my robot")
    services.hook_try(user=ana, hook_id=made.pk)
    taker.answers = [500] * 20
    for _ in range(14):
        sent()
        later(hours=6)
    made.refresh_from_db()
    assert (made.active, made.gave_up_at is not None, Delivery.objects.exclude(due_at=None).count()) == (False, True, 0)
    [notice] = Notice.objects.filter(user=ana, kind="hook_off")
    assert (notice.data, notice.url) == ({"title": "my robot"}, f"/settings/hooks/{made.pk}/")
    refused("hook_off", services.hook_try, user=ana, hook_id=made.pk)
    services.hook_change(user=ana, hook_id=made.pk, active=True)
    taker.answers = []
    services.hook_try(user=ana, hook_id=made.pk)
    assert sent() == 1


def test_an_address_that_is_gone_rests_at_once(hook: Make, taker: Taker, ana: User) -> None:
    made = hook(ana)
    services.hook_try(user=ana, hook_id=made.pk)
    taker.answers = [410]
    sent()
    made.refresh_from_db()
    assert made.active is False


def test_one_that_was_switched_on_again_begins_anew(hook: Make, taker: Taker, ana: User, open_table: Table) -> None:
    made = hook(ana, kinds=PLAY)
    services.hook_change(user=ana, hook_id=made.pk, active=False)
    open_table()
    assert sent() == 0
    services.hook_change(user=ana, hook_id=made.pk, active=True)
    assert sent() == 0
    open_table()
    assert sent() == 2


def test_nothing_is_sent_for_who_is_banned(hook: Make, taker: Taker, ana: User) -> None:
    made = hook(ana)
    services.hook_try(user=ana, hook_id=made.pk)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert (sent(), taker.calls) == (0, 0)


# What can be


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
def test_only_https_to_a_public_name_is_taken(ana: User, url: str) -> None:
    refused("hook_url", services.hook_add, user=ana, url=url)


def test_a_name_that_leads_home_is_not_called(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    from accounts import outbound

    monkeypatch.setattr(outbound.socket, "getaddrinfo", lambda *a, **more: [(2, 1, 6, "", ("10.0.0.7", 443))])
    made = services.hook_add(user=ana, url="https://hooks.example.net/a")
    services.hook_try(user=ana, hook_id=made.pk)
    sent()
    assert Delivery.objects.get().why == "not public"


def test_guests_and_bots_have_none_and_members_ten(ana: User, person: Callable[..., User]) -> None:
    url = "https://hooks.example.net/a"
    refused("hook_member", services.hook_add, user=person("guest-1", is_guest=True), url=url)
    refused("hook_member", services.hook_add, user=person("robo", is_bot=True, owner=ana), url=url)
    for _ in range(10):
        services.hook_add(user=ana, url=url)
    refused("hook_most", services.hook_add, user=ana, url=url)


def test_nobody_touches_the_webhook_of_another(hook: Make, ana: User, bea: User) -> None:
    made = hook(ana)
    delivery = services.hook_try(user=ana, hook_id=made.pk)
    refused("no_hook", services.hook_change, user=bea, hook_id=made.pk, name="mine")
    refused("no_hook", services.hook_remove, user=bea, hook_id=made.pk)
    refused("no_hook", services.hook_secret_renew, user=bea, hook_id=made.pk)
    refused("no_hook", services.hook_try, user=bea, hook_id=made.pk)
    refused("no_delivery", services.delivery_again, user=bea, hook_id=made.pk, delivery_id=delivery.pk)
    refused("hook_kinds", services.hook_add, user=bea, url=made.url, kinds=["match.secret"])
    refused("hook_subjects", services.hook_add, user=bea, url=made.url, subjects=["match:nothing"])
