"""The list of a user's devices: a browser registers its own subscription only."""

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

from accounts.models import User
from accounts.users import services as user_services
from notifications.models import PushDevice
from notifications.push.vapid_key import generate_key
from notifications.services import devices
from tests.conftest import PASSWORD
from tests.services.push_service import PushService, Receiver

pytestmark = pytest.mark.django_db

ADD = "/push/devices/"


def signed_in_client(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=user_services.BACKEND)
    return client


def subscription(endpoint: str = "https://push.example.net/abc", **more: Any) -> dict[str, Any]:
    """The subscription as a browser sends it."""
    return {"endpoint": endpoint, "expirationTime": None, "keys": Receiver().keys, **more}


def send_subscription(client: Client, body: object) -> Any:
    return client.post(ADD, json.dumps(body), content_type="application/json")


def test_a_browser_subscribes_and_is_listed(ana: User) -> None:
    client = signed_in_client(ana)
    answer = send_subscription(client, subscription(name="  Pixel \n 9 " + "x" * 60))
    device = PushDevice.objects.get()
    assert (answer.status_code, device.user, device.name) == (200, ana, "Pixel 9 " + "x" * 32)
    assert (device.club_key, device.language) == (devices.vapid_key().public, "en")
    page = answer.content.decode()
    assert re.search(rf'data-mark="{device.mark}" data-here', page)
    assert "push.example.net" not in page
    assert client.get(reverse("notice-settings")).status_code == 200


def test_one_subscription_is_one_device_of_its_latest_user(ana: User, bea: User) -> None:
    browser = subscription()
    send_subscription(signed_in_client(ana), browser)
    send_subscription(signed_in_client(ana), browser)
    assert list(PushDevice.objects.values_list("user__username", flat=True)) == ["ana"]
    send_subscription(signed_in_client(bea), browser)
    assert list(PushDevice.objects.values_list("user__username", flat=True)) == ["bea"]


def test_a_renewed_subscription_replaces_only_the_users_own_old_one(ana: User, bea: User) -> None:
    client = signed_in_client(ana)
    send_subscription(client, subscription("https://push.example.net/old", name="phone"))
    send_subscription(signed_in_client(bea), subscription("https://push.example.net/bea"))
    send_subscription(client, subscription("https://push.example.net/new", was="https://push.example.net/old"))
    send_subscription(client, subscription("https://push.example.net/newer", was="https://push.example.net/bea"))
    assert sorted(PushDevice.objects.values_list("endpoint", "user__username")) == [
        ("https://push.example.net/bea", "bea"),
        ("https://push.example.net/new", "ana"),
        ("https://push.example.net/newer", "ana"),
    ]
    assert PushDevice.objects.get(endpoint="https://push.example.net/new").name == "phone"


def test_a_user_has_ten_devices_at_most_and_the_oldest_is_dropped(ana: User) -> None:
    client = signed_in_client(ana)
    for n in range(12):
        send_subscription(client, subscription(f"https://push.example.net/{n}"))
    numbers = [int(each.rsplit("/", 1)[1]) for each in PushDevice.objects.values_list("endpoint", flat=True)]
    assert sorted(numbers) == list(range(2, 12))


@pytest.mark.parametrize(
    "body",
    [
        subscription("http://push.example.net/a"),
        subscription("http://127.0.0.1:6379/"),
        subscription("https://127.0.0.1/a"),
        subscription("https://[::1]/a"),
        subscription("https://10.0.0.1/a"),
        subscription("https://169.254.169.254/latest/meta-data/"),
        subscription("https://localhost/a"),
        subscription("https://redis/a"),
        subscription("https://push.example.net:22/a"),
        subscription("https://push.example.net/" + "a" * 3000),
        subscription(keys={"p256dh": "AAAA", "auth": "AAAA"}),
        subscription(keys={**Receiver().keys, "auth": ""}),
        subscription(keys={**Receiver().keys, "p256dh": 7}),
        subscription(keys=None),
        subscription(name=["x"]),
        {"endpoint": None},
        [],
        "text",
        {**subscription(), "name": "x" * 9000},
    ],
)
def test_an_internal_url_or_an_invalid_subscription_is_refused(ana: User, body: object) -> None:
    answer = send_subscription(signed_in_client(ana), body)
    assert (answer.status_code, answer.content.decode()) == (
        422,
        "Your browser could not turn on notifications. Reload the page and try again.",
    )
    assert not PushDevice.objects.exists()


def test_subscribing_requires_a_session_a_member_account_and_a_csrf_token(ana: User) -> None:
    assert send_subscription(Client(), subscription()).status_code == 302
    guest = User.objects.create_user("guest-1", is_guest=True)
    assert send_subscription(signed_in_client(guest), subscription()).status_code == 302
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=user_services.BACKEND)
    assert send_subscription(strict, subscription()).status_code == 403
    assert not PushDevice.objects.exists()


def test_a_service_worker_without_a_page_gets_a_token_and_renews(ana: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ana, backend=user_services.BACKEND)
    key = strict.get("/push/").json()
    assert key["key"] == devices.vapid_key().public
    headers = {"X-CSRFToken": key["token"]}
    answer = strict.post(ADD, json.dumps(subscription()), content_type="application/json", headers=headers)
    assert answer.status_code == 200
    assert PushDevice.objects.get().user == ana


@pytest.mark.parametrize("name", ["push-device-remove", "push-device-try"])
def test_other_users_devices_are_inaccessible(ana: User, bea: User, name: str) -> None:
    send_subscription(signed_in_client(ana), subscription())
    device = PushDevice.objects.get()
    signed_in_client(bea).post(reverse(name, args=[device.pk]))
    assert PushDevice.objects.filter(pk=device.pk, user=ana).exists()
    assert signed_in_client(ana).get(reverse(name, args=[device.pk])).status_code == 405


def test_a_device_is_removed_with_or_without_scripts(ana: User) -> None:
    client = signed_in_client(ana)
    send_subscription(client, subscription("https://push.example.net/1"))
    send_subscription(client, subscription("https://push.example.net/2"))
    first, second = PushDevice.objects.order_by("pk")
    answer = client.post(reverse("push-device-remove", args=[first.pk]), headers={"HX-Request": "true"})
    assert [each.pk for each in answer.context["devices"]] == [second.pk]
    answer = client.post(reverse("push-device-remove", args=[second.pk]))
    assert answer.headers["Location"] == reverse("notice-settings")
    assert not PushDevice.objects.exists()


def test_testing_a_device_queues_a_task_and_is_rate_limited(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[object] = []
    monkeypatch.setattr(
        "notifications.views.push.current_app.send_task", lambda task, **more: queued.append((task, more["args"]))
    )
    client = signed_in_client(ana)
    send_subscription(client, subscription())
    device = PushDevice.objects.get()
    url = reverse("push-device-try", args=[device.pk])
    pages = [client.post(url, headers={"HX-Request": "true"}).content.decode() for _ in range(21)]
    assert "Sent. It should appear within a few seconds." in pages[0]
    assert "Too many attempts. Try again in an hour." in pages[20]
    assert queued == [("notifications.tasks.device_try", [device.pk])] * 20


def test_signing_out_ends_notifications_on_that_device_only(ana: User) -> None:
    here, there = signed_in_client(ana), signed_in_client(ana)
    send_subscription(here, subscription("https://push.example.net/here"))
    send_subscription(there, subscription("https://push.example.net/there"))
    here.post(reverse("account_logout"))
    assert list(PushDevice.objects.values_list("endpoint", flat=True)) == ["https://push.example.net/there"]


def test_a_password_change_ends_notifications_on_all_other_devices(ana: User) -> None:
    here, there = signed_in_client(ana), signed_in_client(ana)
    send_subscription(there, subscription("https://push.example.net/there"))
    send_subscription(here, subscription("https://push.example.net/here"))
    new = "a horse that staples"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post(reverse("account_change_password"), form).status_code == 302
    assert list(PushDevice.objects.values_list("endpoint", flat=True)) == ["https://push.example.net/here"]
    here.post(reverse("account_logout"))
    assert not PushDevice.objects.exists()


def test_a_password_reset_ends_notifications_on_every_device(ana: User) -> None:
    send_subscription(signed_in_client(ana), subscription())
    key = default_token_generator.make_token(ana)
    client = Client()
    url = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(ana), "key": key})
    page = client.get(url, follow=True)
    new = "a horse that staples"
    client.post(page.request["PATH_INFO"], {"password1": new, "password2": new})
    ana.refresh_from_db()
    assert ana.check_password(new)
    assert not PushDevice.objects.exists()


def test_the_service_worker_is_served_from_the_root_revalidated_and_keeps_one_page(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    script = answer.content.decode()
    assert (
        script.count("cache.put(") == script.count("cache.put(OFFLINE") == 1
    )  # the site is as fresh with it as without


def test_the_device_list_takes_the_same_queries_for_one_device_and_for_three(
    ana: User, django_assert_max_num_queries: Any, service: PushService, subscribe: Callable[..., PushDevice]
) -> None:
    client = signed_in_client(ana)
    subscribe(ana)
    client.get(reverse("notice-settings"))
    with django_assert_max_num_queries(12):
        client.get(reverse("notice-settings"))
    subscribe(ana)
    subscribe(ana)
    with django_assert_max_num_queries(12):
        client.get(reverse("notice-settings"))


def test_a_device_of_an_earlier_key_must_be_added_again(ana: User) -> None:
    client = signed_in_client(ana)
    send_subscription(client, subscription())
    PushDevice.objects.update(club_key=generate_key().public)
    assert "add it again" in client.get(reverse("notice-settings")).content.decode()
