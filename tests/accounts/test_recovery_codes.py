"""Recovery codes: shown once, used once, stored as hashes."""

from __future__ import annotations

import re

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from argon2 import PasswordHasher
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse

from accounts.auth import recovery_codes
from accounts.models import User
from accounts.users import services as users
from tests.accounts.test_mfa import Clock, confirm, set_up, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock_that_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "yield_hotp_counters_from_time", lambda: iter([Clock.counter]))


@pytest.fixture
def inside(client: Client, ana: User) -> Client:
    client.force_login(ana, backend=users.BACKEND)
    return client


@pytest.fixture
def codes(inside: Client) -> list[str]:
    return set_up(inside)[1]


def row_of(user: User) -> Authenticator:
    return Authenticator.objects.get(user=user, type=Authenticator.Type.RECOVERY_CODES)


def hashes(user: User) -> list[str]:
    return [get_adapter().decrypt(each) for each in row_of(user).data[recovery_codes.HASHES_KEY]]


def typed(code: str) -> bool:
    """Whether the code completes a sign-in with ana's password."""
    other = Client()
    sign_in(other)
    other.post(reverse("mfa_authenticate"), {"code": code})
    return bool(get_user(other).is_authenticated)


@pytest.fixture
def at_full_cost(hasher_of_sites: PasswordHasher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery_codes, "HASHER", hasher_of_sites)


@pytest.mark.usefixtures("at_full_cost")
def test_shown_codes_are_stored_as_hashes_without_the_seed(codes: list[str], ana: User) -> None:
    assert set(row_of(ana).data) == {"viewed_at", recovery_codes.HASHES_KEY}
    assert len(set(hashes(ana))) == len(codes) == 10
    for each in hashes(ana):
        assert each.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert not set(codes) & set(re.findall(r"\d{8}", each))


def test_each_code_works_once_in_any_order_and_with_spaces(codes: list[str], ana: User) -> None:
    assert typed(codes[7])
    assert typed(f" {codes[2][:4]} {codes[2][4:]} ")
    assert not typed(codes[7])
    assert len(hashes(ana)) == 8


def test_a_stored_hash_is_no_code(codes: list[str], ana: User) -> None:
    assert codes
    assert not typed(hashes(ana)[0])
    assert not typed(row_of(ana).data[recovery_codes.HASHES_KEY][0])
    assert len(hashes(ana)) == 10


def test_pages_show_how_many_codes_are_left(inside: Client, codes: list[str]) -> None:
    typed(codes[0])
    for name in ("mfa_index", "mfa_view_recovery_codes", "mfa_download_recovery_codes"):
        page = inside.get(reverse(name)).content.decode()
        assert "9 codes left." in page
        assert not [each for each in codes if each in page]
    assert (
        "Your current codes will stop working." in inside.get(reverse("mfa_generate_recovery_codes")).content.decode()
    )


def test_new_codes_replace_the_old_ones(inside: Client, codes: list[str]) -> None:
    page = inside.post(reverse("mfa_generate_recovery_codes"), follow=True).content.decode()
    fresh = re.findall(r"<li><code>([0-9]{8})</code></li>", page)
    assert len(fresh) == 10
    assert not typed(codes[0])
    assert typed(fresh[0])


def test_codes_that_were_never_shown_do_not_work(inside: Client, codes: list[str], ana: User) -> None:
    assert codes
    row_of(ana).delete()
    unseen = RecoveryCodes.activate(ana).get_unused_codes()
    assert not typed(unseen[0])
    assert inside.get(reverse("mfa_view_recovery_codes")).content.decode().count("<li><code>") == 10
    assert typed(unseen[0])


def test_a_code_confirms_a_reauthentication_too(codes: list[str]) -> None:
    other = Client()
    sign_in(other)
    other.post(reverse("mfa_authenticate"), {"code": codes[0]})
    for good, code in ((False, codes[0]), (True, codes[1])):
        session = other.session
        session["account_authentication_methods"] = []  # as after a quarter of an hour
        session.save()
        other.post(reverse("mfa_reauthenticate"), {"code": code})
        assert (other.get(reverse("mfa_generate_recovery_codes")).status_code == 200) is good


def test_a_code_used_or_removed_concurrently_does_not_work(codes: list[str], ana: User) -> None:
    seen = row_of(ana)  # as two concurrent sign-ins read it
    assert recovery_codes.recovery_code_use(row=row_of(ana), code=codes[0])
    assert not recovery_codes.recovery_code_use(row=seen, code=codes[0])
    row_of(ana).delete()
    assert not recovery_codes.recovery_code_use(row=seen, code=codes[1])


def test_ten_wrong_codes_lock_the_account(codes: list[str]) -> None:
    other = Client()
    sign_in(other)
    for _ in range(10):
        other.post(reverse("mfa_authenticate"), {"code": "00000000"})
    other.post(reverse("mfa_authenticate"), {"code": codes[0]})
    assert not get_user(other).is_authenticated


def test_a_user_without_codes_has_no_page_of_them(inside: Client) -> None:
    confirm(inside)
    assert inside.get(reverse("mfa_view_recovery_codes")).status_code == 404
