"""Two-factor authentication: setting up, signing in, staff rights."""

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

from accounts.clubs import services as clubs
from accounts.clubs.roles import ClubAction, may
from accounts.errors import Refused
from accounts.models import Club, User
from accounts.support.services import user_find_by_email
from accounts.users import services as users
from accounts.web.staff import acts_as_staff
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


class Clock:
    """The half minute that codes are made for."""

    counter = 58_000_000


@pytest.fixture(autouse=True)
def frozen_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clock, "counter", 58_000_000)
    monkeypatch.setattr(auth, "yield_hotp_counters_from_time", lambda: iter([Clock.counter]))


def digits(secret: str) -> str:
    return auth.format_hotp_value(auth.hotp_value(secret, Clock.counter))


def confirm(client: Client) -> None:
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def set_up(client: Client) -> tuple[str, list[str]]:
    """The TOTP secret and the recovery codes, half a minute later."""
    confirm(client)
    page = client.get(reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    answer = client.post(reverse("mfa_activate_totp"), {"code": digits(secret)}, follow=True)
    Clock.counter += 1
    return secret, re.findall(r"<li><code>([0-9]+)</code></li>", answer.content.decode())


@pytest.fixture
def signed_in(client: Client, ana: User) -> Client:
    client.force_login(ana, backend=users.BACKEND)
    return client


def sign_in(client: Client) -> str:
    return client.post(reverse("account_login"), {"login": "ana", "password": PASSWORD}).headers["Location"]


def test_totp_is_set_up_with_a_qr_code_and_recovery_codes_are_shown(signed_in: Client, ana: User) -> None:
    confirm(signed_in)
    page = signed_in.get(reverse("mfa_activate_totp")).content.decode()
    assert 'src="data:image/svg+xml' in page
    _secret, codes = set_up(signed_in)
    assert len(codes) == 10
    assert Authenticator.objects.filter(user=ana).count() == 2


def test_the_code_that_set_up_the_app_does_not_sign_in(signed_in: Client, ana: User) -> None:
    secret, _codes = set_up(signed_in)
    Clock.counter -= 1  # the half minute of the set-up
    other = Client()
    sign_in(other)
    assert other.post(reverse("mfa_authenticate"), {"code": digits(secret)}).status_code == 200
    assert not get_user(other).is_authenticated
    Clock.counter += 1
    other.post(reverse("mfa_authenticate"), {"code": digits(secret)})
    assert get_user(other) == ana


def test_after_a_change_of_secret_key_the_page_says_that_mfa_data_is_unreadable(
    signed_in: Client, settings: Any, ana: User
) -> None:
    secret, codes = set_up(signed_in)
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another key"
    for typed in (digits(secret), codes[0]):
        other = Client()
        assert sign_in(other) == reverse("mfa_authenticate")
        page = other.post(reverse("mfa_authenticate"), {"code": typed})
        assert (
            page.status_code,
            "can no longer read your two-factor authentication data" in page.content.decode(),
        ) == (200, True)
        assert not get_user(other).is_authenticated
    settings.SECRET_KEY_FALLBACKS = [former]
    other.post(reverse("mfa_authenticate"), {"code": codes[0]})
    assert get_user(other) == ana


def test_codes_encrypted_with_another_key_are_counted_and_replaced(signed_in: Client, settings: Any, ana: User) -> None:
    set_up(signed_in)
    settings.SECRET_KEY = "another key"
    passkey = Client()
    passkey.force_login(ana, backend=users.BACKEND)  # passkeys do not use the site's key
    confirm(passkey)
    assert "10 codes left" in passkey.get(reverse("mfa_index")).content.decode()
    assert passkey.get(reverse("mfa_generate_recovery_codes")).status_code == 200
    page = passkey.post(reverse("mfa_generate_recovery_codes"), follow=True).content.decode()
    assert page.count("<li><code>") == 10


def test_codes_are_shown_once(signed_in: Client) -> None:
    _secret, codes = set_up(signed_in)
    second_page = signed_in.get(reverse("mfa_view_recovery_codes")).content.decode()
    assert codes
    assert codes[0] not in second_page


def test_stored_secrets_are_encrypted(signed_in: Client, ana: User) -> None:
    secret, codes = set_up(signed_in)
    stored = str([authenticator.data for authenticator in Authenticator.objects.filter(user=ana)])
    assert secret not in stored
    assert codes[0] not in stored


def test_sign_in_asks_for_the_code_and_the_password_alone_is_not_enough(signed_in: Client, ana: User) -> None:
    secret, _codes = set_up(signed_in)
    other = Client()
    assert sign_in(other) == reverse("mfa_authenticate")
    assert not get_user(other).is_authenticated
    other.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert not get_user(other).is_authenticated
    other.post(reverse("mfa_authenticate"), {"code": digits(secret)})
    assert get_user(other) == ana


def test_a_totp_code_works_once(signed_in: Client) -> None:
    secret, _codes = set_up(signed_in)
    code = digits(secret)
    for good in (True, False):
        other = Client()
        sign_in(other)
        other.post(reverse("mfa_authenticate"), {"code": code})
        assert get_user(other).is_authenticated is good


def test_a_recovery_code_works_once(signed_in: Client) -> None:
    _secret, codes = set_up(signed_in)
    for good in (True, False):
        other = Client()
        sign_in(other)
        other.post(reverse("mfa_authenticate"), {"code": codes[0]})
        assert get_user(other).is_authenticated is good


def test_codes_can_be_tried_ten_times(signed_in: Client) -> None:
    secret, _codes = set_up(signed_in)
    other = Client()
    sign_in(other)
    for _ in range(10):
        other.post(reverse("mfa_authenticate"), {"code": "000000"})
    other.post(reverse("mfa_authenticate"), {"code": digits(secret)})
    assert not get_user(other).is_authenticated


def test_setting_up_mfa_asks_for_reauthentication_and_ends_other_sessions(
    signed_in: Client, ana: User, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    assert signed_in.get(reverse("mfa_activate_totp")).headers["Location"].startswith(reverse("account_reauthenticate"))
    other = Client()
    other.force_login(ana, backend=users.BACKEND)
    with django_capture_on_commit_callbacks(execute=True):
        set_up(signed_in)
    assert not get_user(other).is_authenticated
    assert get_user(signed_in) == ana


@pytest.fixture
def olga(person: Callable[..., User], settings: object) -> User:
    settings.STAFF_SECOND_STEP = True  # type: ignore[attr-defined]
    return person("olga", is_staff=True, is_superuser=True)


def test_staff_must_set_up_mfa_before_the_admin_opens(client: Client, olga: User) -> None:
    client.force_login(olga, backend=users.BACKEND)
    answer = client.get(reverse("admin:index"))
    assert answer.headers["Location"] == reverse("mfa_index")
    Authenticator.objects.create(user=olga, type=Authenticator.Type.TOTP, data={})
    assert client.get(reverse("admin:index")).status_code == 200


def test_staff_have_no_rights_until_mfa_is_set_up(olga: User) -> None:
    club = clubs.default_club_ensure()
    assert not may(olga, ClubAction.ROLES, club)
    Authenticator.objects.create(user=olga, type=Authenticator.Type.RECOVERY_CODES, data={})
    assert not acts_as_staff(User.objects.get(pk=olga.pk))  # recovery codes alone are not MFA
    Authenticator.objects.create(user=olga, type=Authenticator.Type.TOTP, data={})
    fresh = User.objects.get(pk=olga.pk)
    assert may(fresh, ClubAction.ROLES, Club.objects.get())


def test_staff_without_mfa_are_told_to_set_it_up_and_not_that_they_have_no_rights(
    client: Client, olga: User, ana: User
) -> None:
    club = clubs.default_club_ensure()
    refusals = {
        "create": lambda by: clubs.club_create(by=by, name="Cuarta"),
        "update": lambda by: clubs.club_update(club=club, by=by, name="Otra"),
        "find": lambda by: user_find_by_email(by=by, mail="ana@example.org", reason="asked by phone"),
    }
    expected = {"create": "club_new", "update": "club_not_owner", "find": "support_staff"}
    for name, act in refusals.items():
        for by, code in ((olga, "staff_mfa"), (ana, expected[name])):
            with pytest.raises(Refused) as refused:
                act(by)
            assert refused.value.code == code
    client.force_login(olga, backend=users.BACKEND)
    page = client.get(reverse("club-new"))
    assert (page.status_code, "two-factor authentication" in page.content.decode()) == (403, True)


def test_other_users_cost_no_query(ana: User, django_assert_num_queries: Callable[..., object]) -> None:
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        assert not acts_as_staff(ana)
        assert not acts_as_staff(None)


@pytest.mark.parametrize(
    "sent", ["[]", "1", "null", "{}", '{"response": 1}', '{"response": {"userHandle": 5}}', "{", ""]
)
@pytest.mark.parametrize("name", ["mfa_login_webauthn", "mfa_add_webauthn", "mfa_reauthenticate_webauthn"])
def test_an_invalid_passkey_is_refused(signed_in: Client, name: str, sent: str) -> None:
    confirm(signed_in)
    client = Client() if name == "mfa_login_webauthn" else signed_in
    assert client.post(reverse(name), {"credential": sent, "name": "x"}).status_code in (200, 302)
    assert not Authenticator.objects.exists()
