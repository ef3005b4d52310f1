"""A second step at the log-in: set up, asked for, lost; and the staff, whose rights wait for one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.models import Club, User
from accounts.roles import Act, may
from accounts.second import acts_as_staff
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


NOW = 58_000_000


@pytest.fixture(autouse=True)
def clock_that_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "yield_hotp_counters_from_time", lambda: iter([NOW]))


def digits(secret: str) -> str:
    return auth.format_hotp_value(auth.hotp_value(secret, NOW))


def confirm(client: Client) -> None:
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def set_up(client: Client) -> tuple[str, list[str]]:
    """The app's key, and the codes on paper."""
    confirm(client)
    page = client.get(reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    answer = client.post(reverse("mfa_activate_totp"), {"code": digits(secret)}, follow=True)
    return secret, re.findall(r"<li><code>([0-9]+)</code></li>", answer.content.decode())


@pytest.fixture
def inside(client: Client, ana: User) -> Client:
    client.force_login(ana, backend=services.BACKEND)
    return client


def log_in(client: Client) -> str:
    return client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD}).headers["Location"]


def test_the_app_is_set_up_by_a_picture_and_its_digits_and_paper_is_handed_out(inside: Client, ana: User) -> None:
    confirm(inside)
    page = inside.get(reverse("mfa_activate_totp")).content.decode()
    assert 'src="data:image/svg+xml' in page
    _secret, codes = set_up(inside)
    assert len(codes) == 10
    assert Authenticator.objects.filter(user=ana).count() == 2


def test_a_site_that_came_back_with_another_key_says_that_it_cannot_read_the_step(
    inside: Client, settings: Any, ana: User
) -> None:
    secret, codes = set_up(inside)
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another key"
    for typed in (digits(secret), codes[0]):
        other = Client()
        assert log_in(other) == reverse("mfa_authenticate")
        page = other.post(reverse("mfa_authenticate"), {"code": typed})
        assert (page.status_code, "can no longer read your second step" in page.content.decode()) == (200, True)
        assert not get_user(other).is_authenticated
    settings.SECRET_KEY_FALLBACKS = [former]
    other.post(reverse("mfa_authenticate"), {"code": codes[0]})
    assert get_user(other) == ana


def test_what_another_key_had_locked_is_counted_and_replaced(inside: Client, settings: Any, ana: User) -> None:
    set_up(inside)
    settings.SECRET_KEY = "another key"
    passkey = Client()
    passkey.force_login(ana, backend=services.BACKEND)  # which needs no key of the site
    confirm(passkey)
    assert "10 codes are left" in passkey.get(reverse("mfa_index")).content.decode()
    assert passkey.get(reverse("mfa_generate_recovery_codes")).status_code == 200
    page = passkey.post(reverse("mfa_generate_recovery_codes"), follow=True).content.decode()
    assert page.count("<li><code>") == 10


def test_codes_are_shown_once(inside: Client) -> None:
    _secret, codes = set_up(inside)
    again = inside.get(reverse("mfa_view_recovery_codes")).content.decode()
    assert codes
    assert codes[0] not in again


def test_what_is_stored_is_locked(inside: Client, ana: User) -> None:
    secret, codes = set_up(inside)
    stored = str([one.data for one in Authenticator.objects.filter(user=ana)])
    assert secret not in stored
    assert codes[0] not in stored


def test_the_log_in_asks_for_the_digits_and_a_right_password_alone_lets_nobody_in(inside: Client, ana: User) -> None:
    secret, _codes = set_up(inside)
    other = Client()
    assert log_in(other) == reverse("mfa_authenticate")
    assert not get_user(other).is_authenticated
    other.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert not get_user(other).is_authenticated
    other.post(reverse("mfa_authenticate"), {"code": digits(secret)})
    assert get_user(other) == ana


def test_digits_open_once(inside: Client) -> None:
    secret, _codes = set_up(inside)
    code = digits(secret)
    for good in (True, False):
        other = Client()
        log_in(other)
        other.post(reverse("mfa_authenticate"), {"code": code})
        assert get_user(other).is_authenticated is good


def test_a_code_on_paper_opens_once(inside: Client) -> None:
    _secret, codes = set_up(inside)
    for good in (True, False):
        other = Client()
        log_in(other)
        other.post(reverse("mfa_authenticate"), {"code": codes[0]})
        assert get_user(other).is_authenticated is good


def test_digits_are_tried_ten_times(inside: Client) -> None:
    secret, _codes = set_up(inside)
    other = Client()
    log_in(other)
    for _ in range(10):
        other.post(reverse("mfa_authenticate"), {"code": "000000"})
    other.post(reverse("mfa_authenticate"), {"code": digits(secret)})
    assert not get_user(other).is_authenticated


def test_setting_it_up_asks_first_who_it_is_and_ends_the_other_log_ins(
    inside: Client, ana: User, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    assert inside.get(reverse("mfa_activate_totp")).headers["Location"].startswith(reverse("account_reauthenticate"))
    other = Client()
    other.force_login(ana, backend=services.BACKEND)
    with django_capture_on_commit_callbacks(execute=True):
        set_up(inside)
    assert not get_user(other).is_authenticated
    assert get_user(inside) == ana


@pytest.fixture
def olga(person: Callable[..., User], settings: object) -> User:
    settings.STAFF_SECOND_STEP = True  # type: ignore[attr-defined]
    return person("olga", is_staff=True, is_superuser=True)


def test_the_staff_is_led_to_set_one_up_before_the_office_opens(client: Client, olga: User) -> None:
    client.force_login(olga, backend=services.BACKEND)
    answer = client.get(reverse("admin:index"))
    assert answer.headers["Location"] == reverse("mfa_index")
    Authenticator.objects.create(user=olga, type=Authenticator.Type.TOTP, data={})
    assert client.get(reverse("admin:index")).status_code == 200


def test_rights_of_the_staff_rest_everywhere_until_then(olga: User) -> None:
    club = services.club_ensure_default()
    assert not may(olga, Act.ROLES, club)
    Authenticator.objects.create(user=olga, type=Authenticator.Type.RECOVERY_CODES, data={})
    assert not acts_as_staff(User.objects.get(pk=olga.pk))  # paper alone is no second step
    Authenticator.objects.create(user=olga, type=Authenticator.Type.TOTP, data={})
    fresh = User.objects.get(pk=olga.pk)
    assert may(fresh, Act.ROLES, Club.objects.get())


def test_everybody_else_costs_no_query(ana: User, django_assert_num_queries: Callable[..., object]) -> None:
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        assert not acts_as_staff(ana)
        assert not acts_as_staff(None)


@pytest.mark.parametrize(
    "sent", ["[]", "1", "null", "{}", '{"response": 1}', '{"response": {"userHandle": 5}}', "{", ""]
)
@pytest.mark.parametrize("name", ["mfa_login_webauthn", "mfa_add_webauthn", "mfa_reauthenticate_webauthn"])
def test_what_is_no_passkey_is_refused(inside: Client, name: str, sent: str) -> None:
    confirm(inside)
    client = Client() if name == "mfa_login_webauthn" else inside
    assert client.post(reverse(name), {"credential": sent, "name": "x"}).status_code in (200, 302)
    assert not Authenticator.objects.exists()
