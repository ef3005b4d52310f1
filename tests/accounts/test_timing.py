"""Sign-in pages respond alike, with the same status and as many queries, whether an address is known or not.

That they take the same time is measured by `python -m tools.bench.answer_timing` against a real site.
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

from accounts.auth.mail_queue import queued_emails_send
from accounts.models import QueuedEmail, User
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
    """The page without its per-response values."""
    page = re.sub(r'(csrfmiddlewaretoken" value)="\w+"', "", answer.content.decode())
    page = re.sub(r'data-since="\d+"', "", page)
    return page.replace(typed, "TYPED")


def response_to(route: str, typed: str, **more: str) -> tuple[int, str, str]:
    cache.clear()
    client = Client()
    answer = client.post(reverse(route), more)
    return (
        answer.status_code,
        answer.headers.get("Location", ""),
        words(client.get("/") if answer.status_code == 302 else answer, typed),
    )


def test_sign_in_answers_the_same_for_a_known_address(ana_with_mail: User) -> None:
    known, unknown = (
        response_to("account_login", address, login=address, password="wrong") for address in (KNOWN, UNKNOWN)
    )
    assert known == unknown


@pytest.mark.parametrize("typed", ["ana", KNOWN, "nobody", UNKNOWN])
def test_sign_in_hashes_one_password_for_any_user(
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


def test_a_password_reset_answers_the_same_and_looks_up_no_user(ana_with_mail: User) -> None:
    known, unknown = (response_to("account_reset_password", address, email=address) for address in (KNOWN, UNKNOWN))
    assert known == unknown
    assert [(email.kind, email.subject, email.body) for email in QueuedEmail.objects.all()] == [("reset", "", "")] * 2
    assert mail.outbox == []


def test_the_worker_mails_a_link_to_an_owner_and_a_sign_up_hint_to_others(ana_with_mail: User) -> None:
    for address in (KNOWN, UNKNOWN):
        Client().post(reverse("account_reset_password"), {"email": address})
    assert queued_emails_send() == 2
    known, unknown = sorted(mail.outbox, key=lambda message: message.to)
    assert known.to == [KNOWN]
    assert "http://testserver/accounts/password/reset/key/" in str(known.body)
    assert "/accounts/signup/" in str(unknown.body)
    assert "/reset/key/" not in str(unknown.body)
    assert not QueuedEmail.objects.exists()
    assert queued_emails_send() == 0


def test_an_unavailable_mail_server_is_retried_later(ana_with_mail: User) -> None:
    Client().post(reverse("account_reset_password"), {"email": KNOWN})
    with override_settings(
        EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_PORT=1, EMAIL_HOST="127.0.0.1"
    ):
        assert queued_emails_send() == 0
    assert QueuedEmail.objects.get().attempts == 1
    assert queued_emails_send() == 0  # not before the retry delay


def sign_up(name: str, address: str) -> Client:
    client = Client()
    facts = {"username": name, "email": address, "password1": "a long and quiet word"}
    assert client.post(reverse("account_signup"), facts).status_code == 302
    return client


def test_sign_up_answers_the_same_for_a_known_address(ana_with_mail: User) -> None:
    facts = {"password1": "a long and quiet word"}
    known = response_to("account_signup", KNOWN, username="Elena", email=KNOWN, **facts)
    unknown = response_to("account_signup", UNKNOWN, username="Elvira", email=UNKNOWN, **facts)
    assert (known[0], known[1]) == (unknown[0], unknown[1]) == (302, "/")
    pages = [
        sign_up(name, address).get(reverse("account_email"))
        for name, address in (("Irene", KNOWN), ("Iciar", "x@club.example"))
    ]
    assert words(pages[0], KNOWN).replace("Irene", "NAME") == words(pages[1], "x@club.example").replace("Iciar", "NAME")


def test_a_verified_address_keeps_its_owner_and_they_are_notified(ana_with_mail: User) -> None:
    sign_up("Elena", KNOWN)
    assert queued_emails_send() == 1
    assert mail.outbox[0].to == [KNOWN]
    assert "/accounts/confirm-email/" not in str(mail.outbox[0].body)
    client = Client()
    client.post(reverse("account_login"), {"login": KNOWN, "password": "a long and quiet word"})
    assert not get_user(client).is_authenticated
    client.post(reverse("account_login"), {"login": KNOWN, "password": PASSWORD})
    assert get_user(client) == ana_with_mail


def test_the_user_who_verifies_an_address_owns_it(ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(email=KNOWN)  # unverified
    sign_up("Elena", KNOWN)
    queued_emails_send()
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[0].body))
    assert link
    Client().post(link[1])
    elena = User.objects.get(username="Elena")
    assert elena.email == KNOWN
    assert User.objects.get(pk=ana.pk).email == ""
    assert EmailAddress.objects.get(email=KNOWN, verified=True).user == elena


def test_an_unverified_address_cannot_be_made_primary(ana_with_mail: User) -> None:
    client = sign_up("Elena", UNKNOWN)
    client.post(reverse("account_reauthenticate"), {"password": "a long and quiet word"})
    client.post(reverse("account_email"), {"action_add": "", "email": KNOWN})
    assert client.post(reverse("account_email"), {"action_primary": "", "email": KNOWN}).status_code == 302
    assert client.post(reverse("account_email"), {"action_remove": "", "email": UNKNOWN}).status_code == 302
    assert not User.objects.filter(username="Elena", email=KNOWN).exists()
