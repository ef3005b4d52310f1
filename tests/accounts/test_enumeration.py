"""Signing in and up, guests, password resets and the commands of the server."""

from __future__ import annotations

import re

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.urls import reverse

from accounts.clubs import services as clubs
from accounts.models import Club, Membership, User
from accounts.users import services as users
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
FORM = {"username": "Elena", "email": "", "password1": "a long and quiet word"}


def sign_up(client: Client, **changed: str) -> int:
    return client.post(reverse("account_signup"), {**FORM, **changed}).status_code


def enter_as_guest(client: Client) -> User:
    client.post(reverse("guest-create"))
    return User.objects.get(is_guest=True)


def test_a_guest_starts_with_one_click_and_cannot_sign_in_again(client: Client) -> None:
    guest = enter_as_guest(client)
    assert re.fullmatch(r"guest-\d{4}", guest.username)
    assert not guest.has_usable_password()
    assert get_user(client) == guest


def test_a_guest_is_named_in_the_language_of_the_page(client: Client) -> None:
    client.post(reverse("guest-create"), headers={"accept-language": "es"})
    assert User.objects.get().username.startswith("invitado-")


def test_a_second_click_creates_no_second_guest(client: Client) -> None:
    enter_as_guest(client)
    client.post(reverse("guest-create"))
    assert User.objects.count() == 1


def test_signing_up_turns_the_guest_into_a_member_with_the_same_row_and_session(client: Client) -> None:
    guest = enter_as_guest(client)
    assert client.get(reverse("account_signup")).status_code == 200
    assert sign_up(client) == 302
    member = User.objects.get()
    assert (member.pk, member.username, member.is_guest) == (guest.pk, "Elena", False)
    assert member.check_password(FORM["password1"])
    assert get_user(client) == member
    assert Membership.objects.get(user=member).club.is_default


@pytest.mark.parametrize(
    "wrong", [{"username": "x"}, {"password1": "1234"}, {"username": "admin"}, {"username": "guest-1"}]
)
def test_a_failed_sign_up_leaves_the_guest_a_guest(client: Client, wrong: dict[str, str]) -> None:
    guest = enter_as_guest(client)
    assert sign_up(client, **wrong) == 200
    assert User.objects.get() == guest
    assert User.objects.get().is_guest
    assert get_user(client).username == guest.username


def test_the_email_is_optional_and_belongs_to_its_first_claimant(client: Client) -> None:
    assert sign_up(client, email="elena@example.org") == 302
    assert sign_up(Client(), username="Segunda", email="ELENA@example.org") == 302  # without an error: test_timing.py
    assert User.objects.get(email="elena@example.org").username == "Elena"
    assert sign_up(Client(), username="Otra") == 302
    assert sign_up(Client(), username="Tercera") == 302


@pytest.mark.parametrize(("first", "second"), [("Elena", "eLENA"), ("Ñandú", "ñANDÚ"), ("Ελένη", "ΕΛΈΝΗ")])
def test_usernames_keep_their_case_and_are_unique_regardless_of_it(client: Client, first: str, second: str) -> None:
    assert sign_up(client, username=first) == 302
    assert sign_up(Client(), username=second) == 200
    assert User.objects.get().username == first
    other = Client()
    other.post(reverse("account_login"), {"login": second, "password": FORM["password1"]})
    assert get_user(other).username == first


def test_a_name_taken_between_check_and_insert_is_a_form_error(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sign_up(client) == 302
    monkeypatch.setattr("accounts.auth.adapter.AccountAdapter.clean_username", lambda self, name, shallow=False: name)
    answer = Client().post(reverse("account_signup"), FORM)
    assert answer.status_code == 200
    assert "username" in answer.context["form"].errors


def test_signed_in_members_are_redirected_from_sign_in_and_sign_up(client: Client, ana: User) -> None:
    client.force_login(ana, backend=users.BACKEND)
    assert client.get(reverse("account_login")).status_code == 302
    assert client.get(reverse("account_signup")).status_code == 302


def test_sign_in_is_rate_limited_by_account_first(client: Client, ana: User, bea: User) -> None:
    for _ in range(10):
        client.post(reverse("account_login"), {"login": "ana", "password": "wrong"})
    client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD})
    assert not get_user(client).is_authenticated
    client.post(reverse("account_login"), {"login": "bea", "password": PASSWORD})
    assert get_user(client) == bea


def test_signing_out_needs_a_post(client: Client, ana: User) -> None:
    client.force_login(ana, backend=users.BACKEND)
    client.get(reverse("account_logout"))
    assert get_user(client) == ana
    client.post(reverse("account_logout"))
    assert not get_user(client).is_authenticated


def test_a_reset_link_works_once(client: Client, ana: User, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("reset_link", "ANA", site="https://club.example/")
    link = capsys.readouterr().out.strip()
    assert link.startswith("https://club.example/accounts/password/reset/key/")
    path = link.removeprefix("https://club.example")
    form = client.get(path, follow=True)
    new = {"password1": "another quiet word", "password2": "another quiet word"}
    client.post(form.redirect_chain[-1][0], new)
    ana.refresh_from_db()
    assert ana.check_password("another quiet word")
    assert Client().get(path, follow=True).context["token_fail"]


def test_a_command_disables_mfa_for_an_owner_who_lost_their_device(
    ana: User, capsys: pytest.CaptureFixture[str]
) -> None:
    Authenticator.objects.create(user=ana, type=Authenticator.Type.TOTP, data={"secret": "x"})
    inside = Client()
    inside.force_login(ana, backend=users.BACKEND)
    call_command("disable_mfa", "ANA")
    assert capsys.readouterr().out == "ana signs in with the password alone from now on.\n"
    assert not Authenticator.objects.exists()
    assert not get_user(inside).is_authenticated
    for name, words in (("ana", "doesn't use two-factor authentication"), ("nobody", "no member called nobody")):
        with pytest.raises(CommandError, match=words):
            call_command("disable_mfa", name)


def test_bots_and_guests_get_no_reset_link(db: None) -> None:
    for user in (users.house_bot_ensure(), users.guest_create()):
        with pytest.raises(CommandError):
            call_command("reset_link", user.username)


@pytest.mark.parametrize(("mail", "words"), [(False, "Ask the club"), (True, "Send me the link")])
def test_without_mail_the_reset_page_says_to_ask_the_staff(client: Client, mail: bool, words: str) -> None:
    with override_settings(HAS_MAIL=mail):
        assert words in client.get(reverse("account_reset_password")).content.decode()


def test_demo_accounts_are_created_only_on_a_site_without_users(db: None) -> None:
    users.house_bot_ensure()
    made = users.demo_accounts_ensure()
    assert [name for name, _ in made] == ["ana", "bea"]
    assert all(User.objects.get(username=name).check_password(password) for name, password in made)
    assert users.demo_accounts_ensure() == []


def test_the_default_club_and_the_bot_are_created_once(db: None) -> None:
    assert clubs.default_club_ensure() == clubs.default_club_ensure() == Club.objects.get()
    assert users.house_bot_ensure() == users.house_bot_ensure() == User.objects.get(is_bot=True)
