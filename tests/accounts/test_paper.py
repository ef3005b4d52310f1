"""Codes on paper: what is kept of them, how many are left, and who cannot use them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from django.apps import apps
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse

from accounts import paper, services
from accounts.models import User
from tests.accounts.test_second_step import NOW, confirm, log_in, set_up

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock_that_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "yield_hotp_counters_from_time", lambda: iter([NOW]))


@pytest.fixture
def inside(client: Client, ana: User) -> Client:
    client.force_login(ana, backend=services.BACKEND)
    return client


@pytest.fixture
def codes(inside: Client) -> list[str]:
    return set_up(inside)[1]


def kept(user: User) -> Authenticator:
    return Authenticator.objects.get(user=user, type=Authenticator.Type.RECOVERY_CODES)


def hashes(user: User) -> list[str]:
    return [get_adapter().decrypt(each) for each in kept(user).data[paper.HASHES]]


def typed(code: str) -> bool:
    """Whether somebody with ana's password comes in by it."""
    other = Client()
    log_in(other)
    other.post(reverse("mfa_authenticate"), {"code": code})
    return bool(get_user(other).is_authenticated)


def test_what_was_shown_is_kept_as_hashes_and_the_seed_is_gone(codes: list[str], ana: User) -> None:
    assert set(kept(ana).data) == {"viewed_at", paper.HASHES}
    assert len(set(hashes(ana))) == len(codes) == 10
    for each in hashes(ana):
        assert each.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
        assert not set(codes) & set(re.findall(r"\d{8}", each))


def test_each_opens_once_in_any_order_and_with_spaces(codes: list[str], ana: User) -> None:
    assert typed(codes[7])
    assert typed(f" {codes[2][:4]} {codes[2][4:]} ")
    assert not typed(codes[7])
    assert len(hashes(ana)) == 8


def test_what_is_kept_opens_nothing(codes: list[str], ana: User) -> None:
    assert codes
    assert not typed(hashes(ana)[0])
    assert not typed(kept(ana).data[paper.HASHES][0])
    assert len(hashes(ana)) == 10


def test_pages_say_how_many_are_left(inside: Client, codes: list[str]) -> None:
    typed(codes[0])
    for name in ("mfa_index", "mfa_view_recovery_codes", "mfa_download_recovery_codes"):
        page = inside.get(reverse(name)).content.decode()
        assert "9 codes are left." in page
        assert not [each for each in codes if each in page]
    assert (
        "The ones that you have are no longer good then."
        in inside.get(reverse("mfa_generate_recovery_codes")).content.decode()
    )


def test_new_ones_end_the_old(inside: Client, codes: list[str]) -> None:
    page = inside.post(reverse("mfa_generate_recovery_codes"), follow=True).content.decode()
    fresh = re.findall(r"<li><code>([0-9]{8})</code></li>", page)
    assert len(fresh) == 10
    assert not typed(codes[0])
    assert typed(fresh[0])


def test_codes_that_nobody_has_seen_open_nothing(inside: Client, codes: list[str], ana: User) -> None:
    assert codes
    kept(ana).delete()
    unseen = RecoveryCodes.activate(ana).get_unused_codes()
    assert not typed(unseen[0])
    assert inside.get(reverse("mfa_view_recovery_codes")).content.decode().count("<li><code>") == 10
    assert typed(unseen[0])


def test_one_shows_who_one_is_by_one_too(codes: list[str]) -> None:
    other = Client()
    log_in(other)
    other.post(reverse("mfa_authenticate"), {"code": codes[0]})
    for good, code in ((False, codes[0]), (True, codes[1])):
        session = other.session
        session["account_authentication_methods"] = []  # as after a quarter of an hour
        session.save()
        other.post(reverse("mfa_reauthenticate"), {"code": code})
        assert (other.get(reverse("mfa_generate_recovery_codes")).status_code == 200) is good


def test_one_that_was_used_or_taken_away_a_moment_ago_opens_nothing(codes: list[str], ana: User) -> None:
    seen = kept(ana)  # as two log-ins read it at the same time
    assert paper.code_use(row=kept(ana), code=codes[0])
    assert not paper.code_use(row=seen, code=codes[0])
    kept(ana).delete()
    assert not paper.code_use(row=seen, code=codes[1])


def test_wrong_ones_are_counted_and_ten_lock(codes: list[str]) -> None:
    other = Client()
    log_in(other)
    for _ in range(10):
        other.post(reverse("mfa_authenticate"), {"code": "00000000"})
    other.post(reverse("mfa_authenticate"), {"code": codes[0]})
    assert not get_user(other).is_authenticated


def test_who_has_none_finds_no_page_of_them(inside: Client) -> None:
    confirm(inside)
    assert inside.get(reverse("mfa_view_recovery_codes")).status_code == 404


def test_codes_of_an_older_release_are_hashed_when_it_is_renewed(inside: Client, codes: list[str], ana: User) -> None:
    assert codes
    kept(ana).delete()
    old = RecoveryCodes.activate(ana)
    written = old.get_unused_codes()
    old.validate_code(written[3])
    old.mark_as_viewed()
    hash_codes: Callable[..., Any] = importlib.import_module("accounts.migrations.0011_hashed_codes").hash_codes
    hash_codes(apps, None)
    assert "seed" not in kept(ana).data
    assert len(hashes(ana)) == 9
    assert not typed(written[3])
    assert typed(written[4])
