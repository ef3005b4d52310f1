"""Sign-up: what is typed is checked at once, and a passkey can take the place of the password."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User

pytestmark = pytest.mark.django_db


def check(client: Client, **typed: str) -> dict[str, str]:
    return dict(client.post(reverse("signup-check"), typed).json())


def test_a_free_name_and_a_good_password_are_fine(client: Client) -> None:
    assert check(client, username="nueva", password1="nogal y fieltro") == {"username": "", "password1": ""}


def test_what_is_wrong_is_said_in_one_sentence_each(client: Client, ana: User) -> None:
    assert check(client, username="ANA", password1="nogal") == {
        "username": "That username is already taken.",
        "password1": "This password is too short. It must contain at least 8 characters.",
    }
    assert "username" in check(client, username="a")
    assert check(client, username="x" * 25)["username"] != ""


def test_what_was_not_typed_yet_is_not_judged(client: Client) -> None:
    assert check(client, username="nueva", password1="") == {"username": ""}


def test_of_addresses_nothing_is_said(client: Client, ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(email="ana@club.example")
    assert check(client, email="ana@club.example") == {}


def test_the_page_says_one_line_of_what_a_password_needs(client: Client) -> None:
    page = client.get(reverse("account_signup")).content.decode()
    assert page.count("At least 8 characters.") == 1
    assert "commonly used password" not in page


def test_a_taken_name_gets_no_passkey_and_no_guest(client: Client, ana: User) -> None:
    answer = client.post(reverse("signup-passkey-begin"), {"username": "ana"})
    assert (answer.status_code, answer.json()) == (422, {"username": "That username is already taken."})
    assert not User.objects.filter(is_guest=True).exists()


def test_a_passkey_is_made_for_a_guest_by_the_name_that_was_chosen(client: Client) -> None:
    options = client.post(reverse("signup-passkey-begin"), {"username": "nueva"}).json()["creation_options"][
        "publicKey"
    ]
    assert options["user"]["name"] == "nueva"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    guest = User.objects.get(is_guest=True)
    assert guest.username != "nueva"


def test_a_credential_that_answers_no_challenge_makes_no_member(client: Client) -> None:
    client.post(reverse("signup-passkey-begin"), {"username": "nueva"})
    answer = client.post(reverse("signup-passkey"), {"username": "nueva", "credential": '{"id": "x"}'})
    assert 'value="nueva"' in answer.content.decode()
    assert not User.objects.filter(username="nueva").exists()
