"""Rate limits, with the time at which a request is possible again."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.core.cache import cache, caches
from django.test import Client, override_settings
from django.urls import reverse
from redis.exceptions import ConnectionError as BrokerAway

from accounts.models import User
from accounts.users import services as users
from accounts.web.limits import Limit
from backgammon import cache as shared
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def try_to_sign_in(client: Client, login: str, password: str) -> int:
    return client.post(reverse("account_login"), {"login": login, "password": password}).status_code


@pytest.mark.parametrize(
    ("text", "limit"),
    [("60/h/ip", Limit(60, 3600, "ip")), ("10/10m/who", Limit(10, 600, "who")), ("1/d/who", Limit(1, 86400, "who"))],
)
def test_a_limit_is_parsed(text: str, limit: Limit) -> None:
    assert Limit.parse(text) == limit


@pytest.mark.parametrize(
    "text", ["", "60", "60/h", "60/h/anybody", "x/h/ip", "60/w/ip", "60//ip", "60/0h/ip", "-1/h/ip", "60/h/ip "]
)
def test_an_invalid_limit_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"not a limit: {text!r}")):
        Limit.parse(text)


def test_ten_wrong_passwords_lock_the_account_but_not_others_at_the_same_address(ana: User, bea: User) -> None:
    client = Client()
    assert [try_to_sign_in(client, "ana", "wrong") for _ in range(11)] == [200] * 10 + [429]
    answer = client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "600")
    assert not get_user(client).is_authenticated
    assert try_to_sign_in(Client(), "bea", PASSWORD) == 302


def test_an_unknown_name_is_locked_too(ana: User) -> None:
    client = Client()
    assert [try_to_sign_in(client, "nobody", "wrong") for _ in range(11)] == [200] * 10 + [429]


def test_the_case_of_a_name_gives_no_further_attempts(ana: User) -> None:
    client = Client()
    assert [try_to_sign_in(client, "ANA" if turn % 2 else "ana", "wrong") for turn in range(11)][-1] == 429


ADDRESS = "ana@example.org"


@pytest.fixture
def ana_with_mail(ana: User) -> User:
    EmailAddress.objects.create(user=ana, email=ADDRESS, verified=True, primary=True)
    return ana


def test_wrong_passwords_by_name_and_by_address_count_together(ana_with_mail: User) -> None:
    client = Client()
    assert [try_to_sign_in(client, login, "wrong") for login in ["ana", ADDRESS] * 5] == [200] * 10
    assert try_to_sign_in(client, ADDRESS, PASSWORD) == 200  # as for a wrong password: that the two are one is not told
    assert try_to_sign_in(client, "ana", PASSWORD) == 200
    assert not get_user(client).is_authenticated


def test_right_passwords_do_not_count_against_the_account(ana_with_mail: User) -> None:
    client = Client()
    assert [try_to_sign_in(client, "ana", "wrong") for _ in range(9)] == [200] * 9
    assert [try_to_sign_in(Client(), login, PASSWORD) for login in [ADDRESS, "ana"] * 6] == [302] * 12
    assert try_to_sign_in(client, ADDRESS, "wrong") == 200
    assert try_to_sign_in(Client(), ADDRESS, PASSWORD) == 200


@override_settings(LIMITS={"search": "2/h/who"})
def test_a_search_is_limited_and_a_page_view_is_not(client: Client, ana: User) -> None:
    url = reverse("players")
    assert [client.get(url, {"q": "a"}).status_code for _ in range(3)] == [200, 200, 429]
    assert client.get(url).status_code == 200
    member = Client()
    member.force_login(ana, backend=users.BACKEND)  # at the same address
    assert member.get(url, {"q": "a"}).status_code == 200


@override_settings(LIMITS={"guest": "1/h/ip"})
def test_the_page_says_when_to_try_again(client: Client) -> None:
    client.post(reverse("guest-create"))
    answer = Client().post(reverse("guest-create"), headers={"accept-language": "es"})
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 3601
    assert answer.context["refused"].code == "too_often"


@override_settings(LIMITS={"import": "1/h/who", "export": "1/h/who", "invitation": "1/h/who", "analysis": "1/h/who"})
@pytest.mark.parametrize("name", ["match-import", "data-ask", "archive-ask", "position-analyse"])
def test_expensive_actions_are_limited(client: Client, ana: User, name: str) -> None:
    client.force_login(ana, backend=users.BACKEND)
    answers = [client.post(reverse(name)).status_code for _ in range(2)]
    assert answers[0] != 429
    assert answers[1] == 429


@pytest.mark.usefixtures("valkey")
def test_without_the_broker_limits_are_counted_in_the_process(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise BrokerAway

    monkeypatch.setattr(shared, "_retry_at", {})
    monkeypatch.setattr(type(caches["default"]._cache), "get_client", away)
    client = Client()
    assert [try_to_sign_in(client, "ana", "wrong") for _ in range(11)] == [200] * 10 + [429]
    assert try_to_sign_in(Client(), "bea", PASSWORD) == 200
    cache.clear()
