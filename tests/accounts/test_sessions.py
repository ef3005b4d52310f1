"""Where somebody is logged in: in words of ours, ended one by one or all at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts import log_ins, services
from accounts.models import LogIn, User
from accounts.signals import log_ins_ended
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0 Mobile Safari/537.36"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1"
EDGE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/125.0 Safari/537.36 Edg/125.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605 CriOS/125.0 Mobile/15E148 Safari/604.1"


@pytest.fixture(autouse=True)
def no_limits_left_over() -> None:
    cache.clear()


def browser(agent: str = PHONE) -> Client:
    client = Client(headers={"user-agent": agent})
    client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD})
    return client


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (PHONE, ("Chrome", "Android")),
        (MAC, ("Safari", "Mac")),
        (EDGE, ("Edge", "Windows")),
        (IPHONE, ("Chrome", "iPhone")),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", ("Firefox", "Linux")),
        ("<script>alert(1)</script>", ("", "")),
        ("", ("", "")),
    ],
)
def test_a_browser_is_told_in_words_of_ours(agent: str, words: tuple[str, str]) -> None:
    assert log_ins.words_of(agent) == words


def test_the_list_says_where_and_which_is_this_one(ana: User) -> None:
    here, there = browser(MAC), browser(PHONE)
    page = here.get(reverse("security")).content.decode()
    assert page.index("Safari · Mac") < page.index("Chrome · Android")
    assert page.count("this browser<") == 1
    assert "127.0.0.1" not in page
    assert get_user(there) == ana


def test_one_of_them_is_ended_and_the_others_stay(ana: User) -> None:
    here, there, third = browser(), browser(), browser()
    row = LogIn.objects.get(session_key=there.session.session_key)
    here.post(reverse("log-in-end", args=[row.pk]))
    assert [get_user(one).is_authenticated for one in (here, there, third)] == [True, False, True]


def test_another_persons_log_in_is_nobodys_business(client: Client, ana: User, bea: User) -> None:
    his = browser()
    row = LogIn.objects.get()
    client.force_login(bea, backend=services.BACKEND)
    client.post(reverse("log-in-end", args=[row.pk]))
    assert get_user(his) == ana


def test_log_out_everywhere_spares_this_browser_alone_and_says_so_to_the_apps_above(ana: User) -> None:
    here, there = browser(), browser()
    heard: list[tuple[int, bool]] = []

    def listen(user_id: int, everywhere: bool, **_: object) -> None:
        heard.append((user_id, everywhere))

    log_ins_ended.connect(listen)
    here.post(reverse("log-ins-end"))
    log_ins_ended.disconnect(listen)
    assert [get_user(one).is_authenticated for one in (here, there)] == [True, False]
    assert heard == [(ana.pk, True)]


def test_another_password_ends_the_others_and_the_list_still_knows_this_one(ana: User) -> None:
    here, there = browser(), browser()
    new = "another quiet word"
    here.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert [get_user(one).is_authenticated for one in (here, there)] == [True, False]
    assert here.get(reverse("security")).content.decode().count("this browser<") == 1
    assert LogIn.objects.count() == 1


def test_a_log_out_takes_its_row_off_the_list(ana: User) -> None:
    here, there = browser(), browser()
    there.post(reverse("account_logout"))
    assert here.get(reverse("security")).context["log_ins"][0].here
    assert len(here.get(reverse("security")).context["log_ins"]) == 1


def test_the_fifty_first_log_in_ends_the_oldest(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_ins, "MOST", 2)
    first, second, third = browser(), browser(), browser()
    assert [get_user(one).is_authenticated for one in (first, second, third)] == [False, True, True]
    assert Session.objects.count() == 2


def test_the_list_costs_the_same_however_long_it_is(
    ana: User, django_assert_num_queries: Callable[..., object]
) -> None:
    browser()
    for _ in range(3):
        with django_assert_num_queries(2):  # type: ignore[attr-defined]
            log_ins.log_ins_of(ana, here=None)
        browser()


def test_guests_have_no_list(client: Client) -> None:
    client.post(reverse("guest-create"))
    assert not LogIn.objects.exists()
    assert client.get(reverse("security")).status_code == 302
