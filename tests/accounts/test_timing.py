"""The doors say the same, with the same status and as many queries, whether an address is known or not.

That they take the same time is measured by `python -m tests.bench.timing` against a real site.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.test import Client, override_settings
from django.urls import reverse

from accounts.letters import letters_send
from accounts.models import Letter, User
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
KNOWN, UNKNOWN = "ana@club.example", "nobody@club.example"


@pytest.fixture(autouse=True)
def with_mail() -> Any:
    with override_settings(HAS_MAIL=True, ACCOUNT_EMAIL_VERIFICATION="optional"):
        yield


@pytest.fixture
def ana_with_mail(ana: User) -> User:
    User.objects.filter(pk=ana.pk).update(email=KNOWN)
    EmailAddress.objects.create(user=ana, email=KNOWN, verified=True, primary=True)
    return ana


def words(answer: Any, typed: str) -> str:
    """What a reader sees, without what is made anew for each page."""
    page = re.sub(r'(csrfmiddlewaretoken" value)="\w+"', "", answer.content.decode())
    page = re.sub(r'data-since="\d+"', "", page)
    return page.replace(typed, "TYPED")


def said(door: str, typed: str, **more: str) -> tuple[int, str, str]:
    cache.clear()
    client = Client()
    answer = client.post(reverse(door), more)
    return (
        answer.status_code,
        answer.headers.get("Location", ""),
        words(client.get("/") if answer.status_code == 302 else answer, typed),
    )


def test_the_log_in_says_the_same_of_a_known_address(ana_with_mail: User) -> None:
    known, unknown = (said("account_login", one, login=one, password="wrong") for one in (KNOWN, UNKNOWN))
    assert known == unknown


@pytest.mark.parametrize("typed", ["ana", KNOWN, "nobody", UNKNOWN])
def test_the_log_in_hashes_one_password_whoever_it_is(
    ana_with_mail: User, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counting(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counting)
    Client().post(reverse("account_login"), {"login": typed, "password": "wrong"})
    assert hashed == ["wrong"]


def test_a_reset_says_the_same_and_looks_for_nobody(ana_with_mail: User) -> None:
    known, unknown = (said("account_reset_password", one, email=one) for one in (KNOWN, UNKNOWN))
    assert known == unknown
    assert [(one.kind, one.subject, one.body) for one in Letter.objects.all()] == [("reset", "", "")] * 2
    assert mail.outbox == []


def test_the_worker_writes_a_link_to_the_holder_and_a_word_to_nobody(ana_with_mail: User) -> None:
    for one in (KNOWN, UNKNOWN):
        Client().post(reverse("account_reset_password"), {"email": one})
    assert letters_send() == 2
    known, unknown = sorted(mail.outbox, key=lambda letter: letter.to)
    assert known.to == [KNOWN]
    assert "http://testserver/accounts/password/reset/key/" in str(known.body)
    assert "/accounts/signup/" in str(unknown.body)
    assert "/reset/key/" not in str(unknown.body)
    assert not Letter.objects.exists()
    assert letters_send() == 0


def test_a_server_that_is_away_is_asked_again_later(ana_with_mail: User) -> None:
    Client().post(reverse("account_reset_password"), {"email": KNOWN})
    with override_settings(
        EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1, EMAIL_HOST="127.0.0.1"
    ):
        assert letters_send() == 0
    assert Letter.objects.get().tries == 1
    assert letters_send() == 0  # not before the pause is over


def sign_up(name: str, address: str) -> Client:
    client = Client()
    facts = {"username": name, "email": address, "password1": "a long and quiet word"}
    assert client.post(reverse("account_signup"), facts).status_code == 302
    return client


def test_a_sign_up_says_the_same_of_a_known_address(ana_with_mail: User) -> None:
    facts = {"password1": "a long and quiet word"}
    known = said("account_signup", KNOWN, username="Elena", email=KNOWN, **facts)
    unknown = said("account_signup", UNKNOWN, username="Elvira", email=UNKNOWN, **facts)
    assert (known[0], known[1]) == (unknown[0], unknown[1]) == (302, "/")
    pages = [
        sign_up(name, one).get(reverse("account_email"))
        for name, one in (("Irene", KNOWN), ("Iciar", "x@club.example"))
    ]
    assert words(pages[0], KNOWN).replace("Irene", "NAME") == words(pages[1], "x@club.example").replace("Iciar", "NAME")


def test_a_taken_address_stays_its_holders_and_he_is_told(ana_with_mail: User) -> None:
    sign_up("Elena", KNOWN)
    assert letters_send() == 1
    assert mail.outbox[0].to == [KNOWN]
    assert "/accounts/confirm-email/" not in str(mail.outbox[0].body)
    client = Client()
    client.post(reverse("account_login"), {"login": KNOWN, "password": "a long and quiet word"})
    assert not get_user(client).is_authenticated
    client.post(reverse("account_login"), {"login": KNOWN, "password": PASSWORD})
    assert get_user(client) == ana_with_mail


def test_who_shows_that_an_address_is_his_has_it(ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(email=KNOWN)  # she only said so
    sign_up("Elena", KNOWN)
    letters_send()
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[0].body))
    assert link
    Client().post(link[1])
    elena = User.objects.get(username="Elena")
    assert elena.email == KNOWN
    assert User.objects.get(pk=ana.pk).email == ""
    assert EmailAddress.objects.get(email=KNOWN, verified=True).user == elena


def test_a_claim_cannot_be_made_the_first_address(ana_with_mail: User) -> None:
    client = sign_up("Elena", UNKNOWN)
    client.post(reverse("account_reauthenticate"), {"password": "a long and quiet word"})
    client.post(reverse("account_email"), {"action_add": "", "email": KNOWN})
    assert client.post(reverse("account_email"), {"action_primary": "", "email": KNOWN}).status_code == 302
    assert client.post(reverse("account_email"), {"action_remove": "", "email": UNKNOWN}).status_code == 302
    assert not User.objects.filter(username="Elena", email=KNOWN).exists()
