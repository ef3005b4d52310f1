"""How often one may do what costs: one table, told with the moment from which it works again."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user
from django.core.cache import cache, caches
from django.test import Client, override_settings
from django.urls import reverse
from redis.exceptions import ConnectionError as BrokerAway

from accounts import services
from accounts.limits import Limit
from accounts.models import User
from backgammon import cache as shared
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def try_to_come_in(client: Client, login: str, password: str) -> int:
    return client.post(reverse("account_login"), {"login": login, "password": password}).status_code


@pytest.mark.parametrize(
    ("text", "limit"),
    [("60/h/ip", Limit(60, 3600, "ip")), ("10/10m/who", Limit(10, 600, "who")), ("1/d/who", Limit(1, 86400, "who"))],
)
def test_a_limit_is_read(text: str, limit: Limit) -> None:
    assert Limit.parse(text) == limit


@pytest.mark.parametrize("text", ["", "60", "60/h", "60/h/anybody", "x/h/ip", "60/w/ip", "60//ip"])
def test_what_is_no_limit_is_a_bug_at_once(text: str) -> None:
    with pytest.raises(ValueError, match=""):
        Limit.parse(text)


def test_ten_wrong_tries_lock_an_account_and_nobody_else_at_the_same_address(ana: User, bea: User) -> None:
    client = Client()
    assert [try_to_come_in(client, "ana", "wrong") for _ in range(11)] == [200] * 10 + [429]
    answer = client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD})
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "600")
    assert not get_user(client).is_authenticated
    assert try_to_come_in(Client(), "bea", PASSWORD) == 302


def test_a_name_that_nobody_has_is_locked_the_same(ana: User) -> None:
    client = Client()
    assert [try_to_come_in(client, "nobody", "wrong") for _ in range(11)] == [200] * 10 + [429]


def test_a_name_in_other_letters_has_no_tries_of_its_own(ana: User) -> None:
    client = Client()
    assert [try_to_come_in(client, "ANA" if turn % 2 else "ana", "wrong") for turn in range(11)][-1] == 429


@override_settings(LIMITS={"search": "2/h/who"})
def test_a_search_has_a_limit_and_a_look_has_none(client: Client, ana: User) -> None:
    url = reverse("players")
    assert [client.get(url, {"q": "a"}).status_code for _ in range(3)] == [200, 200, 429]
    assert client.get(url).status_code == 200
    member = Client()
    member.force_login(ana, backend=services.BACKEND)  # at the same address
    assert member.get(url, {"q": "a"}).status_code == 200


@override_settings(LIMITS={"guest": "1/h/ip"})
def test_the_page_says_when_it_works_again(client: Client) -> None:
    client.post(reverse("guest-create"))
    answer = Client().post(reverse("guest-create"), headers={"accept-language": "es"})
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 3601
    assert answer.context["refused"].code == "too_often"


@override_settings(LIMITS={"import": "1/h/who", "export": "1/h/who", "invitation": "1/h/who", "analysis": "1/h/who"})
@pytest.mark.parametrize("name", ["match-import", "data-ask", "archive-ask", "position-analyse"])
def test_what_costs_has_a_limit(client: Client, ana: User, name: str) -> None:
    client.force_login(ana, backend=services.BACKEND)
    answers = [client.post(reverse(name)).status_code for _ in range(2)]
    assert answers[0] != 429
    assert answers[1] == 429


@pytest.mark.usefixtures("valkey")
def test_without_the_broker_nothing_falls_over_and_limits_count_here(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise BrokerAway

    monkeypatch.setattr(shared, "_away", {})
    monkeypatch.setattr(type(caches["default"]._cache), "get_client", away)
    client = Client()
    assert [try_to_come_in(client, "ana", "wrong") for _ in range(11)] == [200] * 10 + [429]
    assert try_to_come_in(Client(), "bea", PASSWORD) == 200
    cache.clear()
