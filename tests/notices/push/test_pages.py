"""The card of one's devices: a browser brings its subscription, and nobody else does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.test import Client
from django.urls import reverse

from accounts import services as people
from accounts.models import User
from notices.models import Device
from notices.push.club_key import made
from notices.services import devices
from tests.conftest import PASSWORD
from tests.services.push_service import PushService, Receiver

pytestmark = pytest.mark.django_db

ADD = "/push/devices/"


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=people.BACKEND)
    return client


def told(endpoint: str = "https://push.example.net/abc", **more: Any) -> dict[str, Any]:
    """What a browser says of its subscription."""
    return {"endpoint": endpoint, "expirationTime": None, "keys": Receiver().keys, **more}


def bring(client: Client, what: object) -> Any:
    return client.post(ADD, json.dumps(what), content_type="application/json")


def test_a_browser_brings_its_subscription_and_is_in_the_list(ana: User) -> None:
    client = logged_in(ana)
    answer = bring(client, told(name="  Pixel \n 9 " + "x" * 60))
    device = Device.objects.get()
    assert (answer.status_code, device.user, device.name) == (200, ana, "Pixel 9 " + "x" * 32)
    assert (device.club_key, device.language) == (devices.own_key().public, "en")
    page = answer.content.decode()
    assert re.search(rf'data-mark="{device.mark}" data-here', page)
    assert "push.example.net" not in page
    assert client.get(reverse("notice-settings")).status_code == 200


def test_the_same_subscription_is_one_device_and_belongs_to_who_brought_it_last(ana: User, bea: User) -> None:
    one = told()
    bring(logged_in(ana), one)
    bring(logged_in(ana), one)
    assert list(Device.objects.values_list("user__username", flat=True)) == ["ana"]
    bring(logged_in(bea), one)
    assert list(Device.objects.values_list("user__username", flat=True)) == ["bea"]


def test_a_renewed_subscription_takes_the_place_of_the_old_one_but_only_of_ones_own(ana: User, bea: User) -> None:
    client = logged_in(ana)
    bring(client, told("https://push.example.net/old", name="phone"))
    bring(logged_in(bea), told("https://push.example.net/bea"))
    bring(client, told("https://push.example.net/new", was="https://push.example.net/old"))
    bring(client, told("https://push.example.net/newer", was="https://push.example.net/bea"))
    assert sorted(Device.objects.values_list("endpoint", "user__username")) == [
        ("https://push.example.net/bea", "bea"),
        ("https://push.example.net/new", "ana"),
        ("https://push.example.net/newer", "ana"),
    ]
    assert Device.objects.get(endpoint="https://push.example.net/new").name == "phone"


def test_a_person_has_ten_devices_and_the_oldest_gives_way(ana: User) -> None:
    client = logged_in(ana)
    for n in range(12):
        bring(client, told(f"https://push.example.net/{n}"))
    kept = [int(each.rsplit("/", 1)[1]) for each in Device.objects.values_list("endpoint", flat=True)]
    assert sorted(kept) == list(range(2, 12))


@pytest.mark.parametrize(
    "what",
    [
        told("http://push.example.net/a"),
        told("http://127.0.0.1:6379/"),
        told("https://127.0.0.1/a"),
        told("https://[::1]/a"),
        told("https://10.0.0.1/a"),
        told("https://169.254.169.254/latest/meta-data/"),
        told("https://localhost/a"),
        told("https://redis/a"),
        told("https://push.example.net:22/a"),
        told("https://push.example.net/" + "a" * 3000),
        told(keys={"p256dh": "AAAA", "auth": "AAAA"}),
        told(keys={**Receiver().keys, "auth": ""}),
        told(keys={**Receiver().keys, "p256dh": 7}),
        told(keys=None),
        told(name=["x"]),
        {"endpoint": None},
        [],
        "text",
        {**told(), "name": "x" * 9000},
    ],
)
def test_an_address_of_our_own_house_or_no_subscription_at_all_is_refused(ana: User, what: object) -> None:
    answer = bring(logged_in(ana), what)
    assert (answer.status_code, answer.content.decode()) == (
        422,
        "Your browser gave no address that notices can be sent to.",
    )
    assert not Device.objects.exists()


def test_nobody_subscribes_without_a_log_in_a_membership_or_the_token_of_the_page(ana: User) -> None:
    assert bring(Client(), told()).status_code == 302
    guest = User.objects.create_user("guest-1", is_guest=True)
    assert bring(logged_in(guest), told()).status_code == 302
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=people.BACKEND)
    assert bring(strict, told()).status_code == 403
    assert not Device.objects.exists()


def test_a_worker_without_a_page_gets_a_token_and_renews(ana: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=people.BACKEND)
    key = strict.get("/push/").json()
    assert key["key"] == devices.own_key().public
    headers = {"X-CSRFToken": key["token"]}
    answer = strict.post(ADD, json.dumps(told()), content_type="application/json", headers=headers)
    assert answer.status_code == 200
    assert Device.objects.get().user == ana


@pytest.mark.parametrize("name", ["push-device-remove", "push-device-try"])
def test_the_devices_of_others_are_out_of_reach(ana: User, bea: User, name: str) -> None:
    bring(logged_in(ana), told())
    device = Device.objects.get()
    logged_in(bea).post(reverse(name, args=[device.pk]))
    assert Device.objects.filter(pk=device.pk, user=ana).exists()
    assert logged_in(ana).get(reverse(name, args=[device.pk])).status_code == 405


def test_a_device_is_removed_with_scripts_or_without(ana: User) -> None:
    client = logged_in(ana)
    bring(client, told("https://push.example.net/1"))
    bring(client, told("https://push.example.net/2"))
    first, second = Device.objects.order_by("pk")
    answer = client.post(reverse("push-device-remove", args=[first.pk]), headers={"HX-Request": "true"})
    assert [each.pk for each in answer.context["devices"]] == [second.pk]
    answer = client.post(reverse("push-device-remove", args=[second.pk]))
    assert answer.headers["Location"] == reverse("notice-settings")
    assert not Device.objects.exists()


def test_to_try_a_device_asks_a_worker_and_only_so_often(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(
        "notices.views.push.current_app.send_task", lambda task, **more: asked.append((task, more["args"]))
    )
    client = logged_in(ana)
    bring(client, told())
    device = Device.objects.get()
    url = reverse("push-device-try", args=[device.pk])
    pages = [client.post(url, headers={"HX-Request": "true"}).content.decode() for _ in range(21)]
    assert "Sent. It should appear within a few seconds." in pages[0]
    assert "That was often enough for now." in pages[20]
    assert asked == [("notices.tasks.device_try", [device.pk])] * 20


def test_logging_out_on_a_device_ends_its_notices_and_those_of_no_other(ana: User) -> None:
    here, there = logged_in(ana), logged_in(ana)
    bring(here, told("https://push.example.net/here"))
    bring(there, told("https://push.example.net/there"))
    here.post(reverse("account_logout"))
    assert list(Device.objects.values_list("endpoint", flat=True)) == ["https://push.example.net/there"]


def test_another_password_ends_the_notices_on_all_other_devices(ana: User) -> None:
    here, there = logged_in(ana), logged_in(ana)
    bring(there, told("https://push.example.net/there"))
    bring(here, told("https://push.example.net/here"))
    new = "a horse that staples"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post(reverse("account_change_password"), form).status_code == 302
    assert list(Device.objects.values_list("endpoint", flat=True)) == ["https://push.example.net/here"]
    here.post(reverse("account_logout"))
    assert not Device.objects.exists()


def test_a_reset_password_ends_the_notices_on_every_device(ana: User) -> None:
    bring(logged_in(ana), told())
    key = default_token_generator.make_token(ana)
    client = Client()
    url = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(ana), "key": key})
    page = client.get(url, follow=True)
    new = "a horse that staples"
    client.post(page.request["PATH_INFO"], {"password1": new, "password2": new})
    ana.refresh_from_db()
    assert ana.check_password(new)
    assert not Device.objects.exists()


def test_the_worker_is_a_script_of_the_root_that_is_never_stale(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    script = answer.content.decode()
    assert 'addEventListener("fetch"' not in script
    assert "caches" not in script


def test_a_card_costs_the_same_queries_for_one_device_and_for_three(
    ana: User, django_assert_max_num_queries: Any, service: PushService, subscribe: Callable[..., Device]
) -> None:
    client = logged_in(ana)
    subscribe(ana)
    client.get(reverse("notice-settings"))
    with django_assert_max_num_queries(12):
        client.get(reverse("notice-settings"))
    subscribe(ana)
    subscribe(ana)
    with django_assert_max_num_queries(12):
        client.get(reverse("notice-settings"))


def test_a_device_of_an_earlier_key_says_that_it_must_be_added_again(ana: User) -> None:
    client = logged_in(ana)
    bring(client, told())
    Device.objects.update(club_key=made().public)
    assert "must be added again" in client.get(reverse("notice-settings")).content.decode()
