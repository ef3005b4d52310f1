"""The link that creates the first owner: it works once, for a day, and only while the site has no owner."""

from __future__ import annotations

import threading
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, TransactionTestCase

from accounts.clubs.services import default_club_ensure
from accounts.models import Membership, User
from accounts.users.services import demo_accounts_ensure
from backgammon.ops import first_owner
from backgammon.ops.models import OwnerLink

PAGE = "/first-owner/"
PASSWORD = "correct horse battery"


def code_of(link: str) -> str:
    return link.partition("#")[2]


def begin(client: Client, code: str, name: str = "ana", password: str = PASSWORD) -> Any:
    return client.post(PAGE, {"code": code, "username": name, "password": password})


@pytest.mark.django_db
def test_the_link_creates_the_owner_and_signs_them_in(client: Client) -> None:
    link = first_owner.link_create()
    path, _, code = link.partition("#")
    assert path == PAGE
    assert b'name="code"' in client.get(path).content
    answer = begin(client, code)
    assert (answer.status_code, answer["Location"]) == (302, "/")
    ana = User.objects.get(username="ana")
    assert (ana.is_staff, ana.is_superuser, ana.is_active) == (True, True, True)
    assert check_password(PASSWORD, ana.password)
    assert Membership.objects.get(user=ana, club__is_default=True).role == Membership.Role.OWNER
    assert int(client.session["_auth_user_id"]) == ana.pk
    assert not OwnerLink.objects.exists()
    assert not first_owner.is_needed()


@pytest.mark.django_db
def test_the_page_is_gone_once_there_is_an_owner(client: Client, bea: User) -> None:
    code = code_of(first_owner.link_create())
    assert begin(client, code).status_code == 302
    other = Client()
    assert other.get(PAGE).status_code == 404
    assert begin(other, code, "carlos").status_code == 404
    assert list(User.objects.filter(is_superuser=True).values_list("username", flat=True)) == ["ana"]


@pytest.mark.django_db
def test_a_new_link_replaces_the_old(client: Client) -> None:
    first, second = code_of(first_owner.link_create()), code_of(first_owner.link_create())
    answer = begin(client, first)
    assert answer.status_code == 422
    assert "This code does not work" in answer.content.decode()
    assert not User.objects.filter(is_superuser=True).exists()
    assert begin(client, second).status_code == 302


@pytest.mark.django_db
def test_a_link_expires_after_a_day(client: Client) -> None:
    code = code_of(first_owner.link_create())
    link = OwnerLink.objects.get()
    OwnerLink.objects.update(made_at=link.made_at - first_owner.LINK_LIFETIME - timedelta(seconds=1))
    assert begin(client, code).status_code == 422
    OwnerLink.objects.update(made_at=link.made_at - first_owner.LINK_LIFETIME + timedelta(minutes=1))
    assert begin(client, code).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change", [lambda code: "", lambda code: code[:-1], lambda code: "x" + code, lambda code: "a:b"]
)
def test_an_invalid_code_is_refused(client: Client, change: Any) -> None:
    assert begin(client, change(code_of(first_owner.link_create()))).status_code == 422
    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "password", "why"),
    [
        ("admin", PASSWORD, "This name is reserved. Choose another."),
        ("a", PASSWORD, "Use 2 to 24 letters"),
        ("BEA", PASSWORD, "That username is already taken."),
        ("ana", "12345678", "This password is"),
    ],
)
def test_an_invalid_name_or_password_does_not_use_up_the_link(
    client: Client, bea: User, name: str, password: str, why: str
) -> None:
    code = code_of(first_owner.link_create())
    answer = begin(client, code, name, password)
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert begin(client, code).status_code == 302


@pytest.mark.django_db
def test_tries_are_limited(client: Client, settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "owner": "2/10m/ip"}
    code = code_of(first_owner.link_create())
    assert [begin(client, "x").status_code for _ in range(2)] == [422, 422]
    answer = begin(client, code)
    assert answer.status_code == 429
    assert "Too many attempts." in answer.content.decode()
    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.django_db
def test_the_page_is_translated_into_spanish(client: Client) -> None:
    assert client.get(PAGE, headers={"Accept-Language": "es"}).headers["Content-Language"] == "es"


@pytest.mark.django_db
def test_demo_accounts_count_as_owners(client: Client) -> None:
    demo_accounts_ensure()
    assert not first_owner.is_needed()
    assert client.get(PAGE).status_code == 404


@pytest.mark.django_db
def test_a_user_who_cannot_sign_in_is_no_owner(ana: User) -> None:
    Membership.objects.create(club=default_club_ensure(), user=ana, role=Membership.Role.OWNER)
    assert not first_owner.is_needed()
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert first_owner.is_needed()


@pytest.mark.django_db
def test_the_command_prints_a_new_link(client: Client, settings: Any) -> None:
    out = StringIO()
    call_command("first_owner", "--site", "https://club.example/", stdout=out)
    link = out.getvalue().strip()
    assert link.startswith("https://club.example/first-owner/#")
    assert begin(client, code_of(link)).status_code == 302
    with pytest.raises(CommandError, match="already has an owner"):
        call_command("first_owner")


class TwoAtOnce(TransactionTestCase):
    def test_one_of_two_simultaneous_requests_becomes_the_owner(self) -> None:
        code = code_of(first_owner.link_create())
        outcomes: list[str] = []
        start = threading.Barrier(2)

        def claim(name: str) -> None:
            start.wait()
            try:
                first_owner.owner_create(code=code, name=name, password=PASSWORD)
                outcomes.append("owner")
            except first_owner.FirstOwnerRefused as refusal:
                outcomes.append(refusal.code)
            finally:
                connection.close()

        threads = [threading.Thread(target=claim, args=(name,)) for name in ("ana", "bea")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["owner", "owner_there"]
        assert User.objects.filter(is_superuser=True).count() == 1
