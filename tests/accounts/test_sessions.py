"""Where somebody is logged in: in words of ours, ended one by one or all at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import log_ins, services, tasks
from accounts.models import LogIn, User
from accounts.signals import log_ins_ended
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0 Mobile Safari/537.36"
MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1"
EDGE = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/125.0 Safari/537.36 Edg/125.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605 CriOS/125.0 Mobile/15E148 Safari/604.1"


def browser(agent: str = PHONE) -> Client:
    client = Client(headers={"user-agent": agent})
    client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD})
    return client


def confirmed(agent: str = PHONE) -> Client:
    """A browser in which she has just shown again who she is."""
    client = browser(agent)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
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
    here, there, third = confirmed(), browser(), browser()
    row = LogIn.objects.get(session_key=there.session.session_key)
    here.post(reverse("log-in-end", args=[row.pk]))
    assert [get_user(one).is_authenticated for one in (here, there, third)] == [True, False, True]


@pytest.mark.parametrize("what", ["one", "all"])
def test_who_sits_down_at_an_open_screen_ends_nothing_before_showing_who_that_is(ana: User, what: str) -> None:
    here, there = browser(), browser()
    row = LogIn.objects.get(session_key=there.session.session_key)
    way = reverse("log-ins-end") if what == "all" else reverse("log-in-end", args=[row.pk])
    assert here.post(way).headers["Location"].startswith(reverse("account_reauthenticate"))
    assert get_user(there) == ana
    here.post(f"{reverse('account_reauthenticate')}?next={way}", {"password": PASSWORD, "next": way})
    assert not get_user(there).is_authenticated


def test_another_persons_log_in_is_nobodys_business(client: Client, ana: User, bea: User) -> None:
    his = browser()
    row = LogIn.objects.get()
    client.force_login(bea, backend=services.BACKEND)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.post(reverse("log-in-end", args=[row.pk]))
    assert get_user(his) == ana


def test_log_out_everywhere_spares_this_browser_alone_and_says_so_to_the_apps_above(ana: User) -> None:
    here, there = confirmed(), browser()
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


def test_who_shows_again_who_she_is_goes_on_with_another_key(ana: User) -> None:
    here, there = browser(), browser()
    before = here.cookies["sessionid"].value
    stolen = Client()
    stolen.cookies["sessionid"] = before
    here.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert here.cookies["sessionid"].value != before
    assert [get_user(one).is_authenticated for one in (here, there, stolen)] == [True, True, False]
    rows = here.get(reverse("security")).context["log_ins"]
    assert [one.here for one in rows] == [True, False]
    assert LogIn.objects.count() == 2


def test_a_wrong_password_there_changes_no_key(ana: User) -> None:
    here = browser()
    before = here.cookies["sessionid"].value
    here.post(reverse("account_reauthenticate"), {"password": "wrong"})
    assert (here.cookies["sessionid"].value, get_user(here).is_authenticated) == (before, True)


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


def test_who_comes_stays_in_for_another_ninety_days_and_so_does_a_guest(ana: User) -> None:
    member, guest = browser(), Client()
    guest.post(reverse("guest-create"))
    tomorrow = timezone.now() + timedelta(days=1)
    for one in (member, guest):
        session = one.session
        session[log_ins.RENEWED] = "2026-01-01"  # he came last on that day
        session.save()
    Session.objects.update(expire_date=tomorrow)
    for one in (member, guest):
        one.get(reverse("lobby"))
    assert all(each.expire_date > tomorrow + timedelta(days=88) for each in Session.objects.all())
    Session.objects.update(expire_date=tomorrow)
    member.get(reverse("lobby"))  # once a day is enough
    assert Session.objects.filter(expire_date=tomorrow).count() == 2


def test_a_year_after_it_began_a_log_in_ends_but_not_in_the_middle_of_a_match(ana: User) -> None:
    old, playing, very_old, young = browser(), browser(), browser(), browser()
    now = timezone.now()
    rows = (
        (old, log_ins.LONGEST, log_ins.AWAY),
        (playing, log_ins.LONGEST, timedelta(minutes=90)),
        (very_old, log_ins.LONGEST + log_ins.GRACE, timedelta(0)),
        (young, log_ins.LONGEST - timedelta(days=1), timedelta(days=80)),
    )
    for one, age, away in rows:
        began = now - age - timedelta(seconds=1)
        LogIn.objects.filter(session_key=one.session.session_key).update(made_at=began, seen_at=now - away)
    assert tasks.sweep_doors() == 2
    assert [get_user(one).is_authenticated for one in (old, playing, very_old, young)] == [False, True, False, True]


def test_sessions_whose_time_is_over_are_forgotten(ana: User) -> None:
    browser()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    log_ins.log_ins_sweep()
    assert not Session.objects.exists()
