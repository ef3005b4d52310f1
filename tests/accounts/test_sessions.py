"""Active sessions: the list, ending them, key rotation and expiry."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import tasks
from accounts.auth import selectors as auth_selectors
from accounts.auth import services as auth_services
from accounts.auth import user_agents
from accounts.models import ActiveSession, User
from accounts.signals import sessions_ended
from accounts.users import services as users
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
    """A browser that has just been reauthenticated."""
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
def test_a_user_agent_is_described_in_plain_words(agent: str, words: tuple[str, str]) -> None:
    assert user_agents.parse_user_agent(agent) == words


def test_the_list_shows_the_devices_and_the_current_session(ana: User) -> None:
    here, there = browser(MAC), browser(PHONE)
    page = here.get(reverse("security")).content.decode()
    assert page.index("Safari · Mac") < page.index("Chrome · Android")
    assert page.count("this browser<") == 1
    assert "127.0.0.1" not in page
    assert get_user(there) == ana


def test_one_session_is_ended_and_the_others_stay(ana: User) -> None:
    here, there, third = confirmed(), browser(), browser()
    row = ActiveSession.objects.get(session_key=there.session.session_key)
    here.post(reverse("log-in-end", args=[row.pk]))
    assert [get_user(client).is_authenticated for client in (here, there, third)] == [True, False, True]


@pytest.mark.parametrize("sessions", ["one", "all"])
def test_ending_sessions_asks_for_reauthentication(ana: User, sessions: str) -> None:
    here, there = browser(), browser()
    row = ActiveSession.objects.get(session_key=there.session.session_key)
    url = reverse("log-ins-end") if sessions == "all" else reverse("log-in-end", args=[row.pk])
    assert here.post(url).headers["Location"].startswith(reverse("account_reauthenticate"))
    assert get_user(there) == ana
    here.post(f"{reverse('account_reauthenticate')}?next={url}", {"password": PASSWORD, "next": url})
    assert not get_user(there).is_authenticated


def test_a_session_of_another_user_cannot_be_ended(client: Client, ana: User, bea: User) -> None:
    other = browser()
    row = ActiveSession.objects.get()
    client.force_login(bea, backend=users.BACKEND)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    client.post(reverse("log-in-end", args=[row.pk]))
    assert get_user(other) == ana


def test_sign_out_everywhere_keeps_this_browser_and_sends_the_signal(ana: User) -> None:
    here, there = confirmed(), browser()
    signals: list[tuple[int, bool]] = []

    def listen(user_id: int, everywhere: bool, **_: object) -> None:
        signals.append((user_id, everywhere))

    sessions_ended.connect(listen)
    here.post(reverse("log-ins-end"))
    sessions_ended.disconnect(listen)
    assert [get_user(client).is_authenticated for client in (here, there)] == [True, False]
    assert signals == [(ana.pk, True)]


def test_a_new_password_ends_other_sessions_and_keeps_this_one_listed(ana: User) -> None:
    here, there = browser(), browser()
    new = "another quiet word"
    here.post(reverse("account_change_password"), {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert [get_user(client).is_authenticated for client in (here, there)] == [True, False]
    assert here.get(reverse("security")).content.decode().count("this browser<") == 1
    assert ActiveSession.objects.count() == 1


def test_reauthentication_rotates_the_session_key(ana: User) -> None:
    here, there = browser(), browser()
    before = here.cookies["sessionid"].value
    stolen = Client()
    stolen.cookies["sessionid"] = before
    here.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert here.cookies["sessionid"].value != before
    assert [get_user(client).is_authenticated for client in (here, there, stolen)] == [True, True, False]
    rows = here.get(reverse("security")).context["sessions"]
    assert [row.here for row in rows] == [True, False]
    assert ActiveSession.objects.count() == 2


def test_a_wrong_password_at_reauthentication_keeps_the_session_key(ana: User) -> None:
    here = browser()
    before = here.cookies["sessionid"].value
    here.post(reverse("account_reauthenticate"), {"password": "wrong"})
    assert (here.cookies["sessionid"].value, get_user(here).is_authenticated) == (before, True)


def test_signing_out_removes_the_session_from_the_list(ana: User) -> None:
    here, there = browser(), browser()
    there.post(reverse("account_logout"))
    assert here.get(reverse("security")).context["sessions"][0].here
    assert len(here.get(reverse("security")).context["sessions"]) == 1


def test_the_fifty_first_session_ends_the_oldest(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth_services, "MAX_SESSIONS", 2)
    first, second, third = browser(), browser(), browser()
    assert [get_user(client).is_authenticated for client in (first, second, third)] == [False, True, True]
    assert Session.objects.count() == 2


def test_the_list_takes_as_many_queries_whatever_its_length(
    ana: User, django_assert_num_queries: Callable[..., object]
) -> None:
    browser()
    for _ in range(3):
        with django_assert_num_queries(2):  # type: ignore[attr-defined]
            auth_selectors.sessions_of(ana, here=None)
        browser()


def test_guests_have_no_list(client: Client) -> None:
    client.post(reverse("guest-create"))
    assert not ActiveSession.objects.exists()
    assert client.get(reverse("security")).status_code == 302


def test_a_visit_renews_the_session_for_ninety_days_for_guests_too(ana: User) -> None:
    member, guest = browser(), Client()
    guest.post(reverse("guest-create"))
    tomorrow = timezone.now() + timedelta(days=1)
    for client in (member, guest):
        session = client.session
        session[auth_services.RENEWED_KEY] = "2026-01-01"  # the last renewal
        session.save()
    Session.objects.update(expire_date=tomorrow)
    for client in (member, guest):
        client.get(reverse("lobby"))
    assert all(each.expire_date > tomorrow + timedelta(days=88) for each in Session.objects.all())
    Session.objects.update(expire_date=tomorrow)
    member.get(reverse("lobby"))  # once a day is enough
    assert Session.objects.filter(expire_date=tomorrow).count() == 2


def test_a_session_ends_after_a_year_but_not_during_a_match(ana: User) -> None:
    old, playing, very_old, young = browser(), browser(), browser(), browser()
    now = timezone.now()
    rows = (
        (old, auth_services.MAX_AGE, auth_services.IDLE_TIME),
        (playing, auth_services.MAX_AGE, timedelta(minutes=90)),
        (very_old, auth_services.MAX_AGE + auth_services.GRACE_PERIOD, timedelta(0)),
        (young, auth_services.MAX_AGE - timedelta(days=1), timedelta(days=80)),
    )
    for client, age, away in rows:
        began = now - age - timedelta(seconds=1)
        ActiveSession.objects.filter(session_key=client.session.session_key).update(made_at=began, seen_at=now - away)
    assert tasks.sweep_sessions() == 2
    assert [get_user(client).is_authenticated for client in (old, playing, very_old, young)] == [
        False,
        True,
        False,
        True,
    ]


def test_expired_sessions_are_deleted(ana: User) -> None:
    browser()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    auth_services.sessions_sweep()
    assert not Session.objects.exists()
