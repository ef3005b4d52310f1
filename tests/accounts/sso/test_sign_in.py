"""Single sign-on: signing up and in with the account at the provider, and who does not get in."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import get_user
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Membership, User
from accounts.users import services as users
from accounts.users.name_availability import suggest_name
from accounts.web.staff import acts_as_staff
from tests.accounts.sso.browser import PERSON, Browser, code_of, come_back, leave, link, sign_up
from tests.services import oidc_provider
from tests.services.oidc_provider import CLIENT_SECRET, OIDCProvider

pytestmark = pytest.mark.django_db


def test_a_new_person_chooses_a_name_and_is_a_member_with_the_verified_address(
    provider: OIDCProvider, client: Client
) -> None:
    assert come_back(client).headers["Location"] == reverse("sso-sign-up")
    page = client.get(reverse("sso-sign-up")).content.decode()
    assert 'value="eva"' in page
    assert 'value="eva@norte.example"' in page
    assert client.post(reverse("sso-sign-up"), {"username": "Eva", "email": "eva@norte.example"}).status_code == 302
    eva = User.objects.get(username="Eva")
    assert get_user(client) == eva
    assert not eva.has_usable_password()
    assert Membership.objects.filter(user=eva, club__is_default=True).exists()
    assert EmailAddress.objects.get(user=eva).verified
    row = SocialAccount.objects.get(user=eva)
    assert (row.provider, row.uid, row.extra_data) == (provider.url, PERSON["sub"], {"label": "eva"})
    assert client.get(reverse("sso-sign-up")).status_code == 302


@pytest.mark.parametrize("said", [False, "false", None, 1.5, "yes"])
def test_a_new_person_needs_an_address_that_the_provider_has_verified(
    provider: OIDCProvider, client: Client, said: object
) -> None:
    provider.person["email_verified"] = said
    page = come_back(client)
    assert (page.status_code, code_of(page)) == (400, "sso_unverified")
    assert client.get(reverse("sso-sign-up")).headers["Location"] == reverse("account_login")


def test_who_has_linked_their_account_needs_no_address(provider: OIDCProvider, client: Client, ana: User) -> None:
    link(ana)
    provider.person = {"sub": PERSON["sub"]}
    come_back(client)
    assert get_user(client) == ana


def test_another_address_than_the_provider_s_is_not_verified(provider: OIDCProvider, client: Client) -> None:
    sign_up(client, email="other@norte.example")
    assert not EmailAddress.objects.get(user__username="eva", email="other@norte.example").verified


def test_a_taken_name_is_refused_and_the_sign_up_goes_on(provider: OIDCProvider, client: Client, ana: User) -> None:
    page = sign_up(client, username="ana")
    assert page.status_code == 200
    assert not SocialAccount.objects.exists()
    client.post(reverse("sso-sign-up"), {"username": "eva", "email": ""})
    assert get_user(client).get_username() == "eva"


@pytest.mark.parametrize(
    ("wanted", "suggested"),
    [
        ("eva", "eva"),
        ("Ana", "Ana2"),
        ("eva.ruiz@norte.example", "eva.ruiz"),
        ("Eva María Ruiz", "Eva-María-Ruiz"),
        ("  ..eva-- ", "eva"),
        ("admin", "admin2"),
        ("x" * 60, "x" * 24),
        ("e", "e2"),
        ("", ""),
        ("\u202e\u0000", ""),
        ("eva и", ""),
    ],
)
def test_a_free_and_valid_name_is_suggested(ana: User, wanted: str, suggested: str) -> None:
    assert suggest_name(wanted) == suggested


def test_the_choice_of_a_name_ends_after_a_while(provider: OIDCProvider, client: Client) -> None:
    come_back(client)
    session = client.session
    session["sso_sign_up"]["until"] = time.time() - 1
    session.save()
    assert client.get(reverse("sso-sign-up")).headers["Location"] == reverse("account_login")


def test_a_guest_keeps_their_row_and_their_games(provider: OIDCProvider, browser_of: Browser) -> None:
    guest = users.guest_create()
    client = browser_of(guest)
    sign_up(client)
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest) == ("eva", False)
    assert get_user(client) == guest


def test_signing_in_again_needs_no_name_and_returns_to_the_page(provider: OIDCProvider, client: Client) -> None:
    sign_up(client)
    other = Client()
    answer = come_back(other, next=reverse("history"))
    assert answer.headers["Location"] == reverse("history")
    assert get_user(other).get_username() == "eva"
    assert User.objects.filter(username__iexact="eva").count() == 1


def test_a_return_to_another_site_is_ignored(provider: OIDCProvider, client: Client, ana: User) -> None:
    link(ana)
    assert come_back(client, next="https://evil.example/").headers["Location"] == reverse("lobby")


def test_staff_have_no_rights_before_their_second_factor(
    provider: OIDCProvider, client: Client, ana: User, settings: Any
) -> None:
    settings.STAFF_SECOND_STEP = True
    User.objects.filter(pk=ana.pk).update(is_staff=True)
    link(ana)
    come_back(client)
    assert get_user(client) == ana
    assert not acts_as_staff(get_user(client))  # type: ignore[arg-type]
    assert client.get(reverse("support")).headers["Location"] == reverse("mfa_index")


def test_two_factor_authentication_is_still_asked(provider: OIDCProvider, client: Client, ana: User) -> None:
    link(ana)
    Authenticator.objects.create(user=ana, type=Authenticator.Type.TOTP, data={"secret": ""})
    assert come_back(client).headers["Location"] == reverse("mfa_authenticate")
    assert not get_user(client).is_authenticated


def test_a_closed_account_says_why(provider: OIDCProvider, client: Client, ana: User) -> None:
    link(ana)
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert come_back(client).status_code == 403
    assert not get_user(client).is_authenticated


def test_the_pages_have_the_button_and_keep_their_policy(provider: OIDCProvider, client: Client) -> None:
    for route in ("account_login", "account_signup"):
        page = client.get(reverse(route))
        assert "Sign in with Club Norte" in page.content.decode()
        assert "form-action 'self';" in page.headers["Content-Security-Policy"] + ";"
    assert provider.asked == []


def test_without_a_provider_there_is_no_page_no_button_and_no_query(browser_of: Browser, ana: User) -> None:
    client = browser_of(ana)
    for route in ("sso-sign-in", "sso-callback", "sso-sign-up", "sso-link", "sso-unlink"):
        assert (client.get(reverse(route)).status_code, client.post(reverse(route)).status_code) == (404, 404)
    with CaptureQueriesContext(connection) as asked:
        pages = [Client().get(reverse("account_login")), Client().get(reverse("account_signup"))]
        pages.append(client.get(reverse("security")))
    assert all("/sso/" not in page.content.decode() for page in pages)
    assert [query["sql"] for query in asked if "socialaccount" in query["sql"]] == []


def test_only_members_link_and_only_who_has_no_account_signs_in(
    provider: OIDCProvider, browser_of: Browser, ana: User
) -> None:
    for route in ("sso-link", "sso-unlink"):
        assert Client().post(reverse(route)).headers["Location"].startswith(reverse("account_login"))
        guest = browser_of(users.guest_create())
        assert guest.post(reverse(route)).headers["Location"].startswith(reverse("account_signup"))
        assert browser_of(ana).get(reverse(route)).status_code == 405
    assert browser_of(ana).post(reverse("sso-sign-in")).headers["Location"] == reverse("lobby")
    assert browser_of(ana).get(reverse("sso-sign-up")).status_code == 302
    assert provider.asked == []


def test_a_flood_of_sign_ins_is_refused(provider: OIDCProvider, client: Client, settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "sso": "2/h/ip"}
    assert [client.post(reverse("sso-sign-in")).status_code for _ in range(3)] == [200, 200, 429]


def test_the_log_names_no_secret(provider: OIDCProvider, client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    back = oidc_provider.back_from(leave(client))
    provider.failing = {"/token"}
    client.get(back)
    code = re.findall(r"[?&]code=([^&]+)", back)[0]
    assert "single sign-on" in caplog.text
    assert [text for text in (code, CLIENT_SECRET, PERSON["email"]) if text in _own_lines(caplog)] == []


def _own_lines(caplog: pytest.LogCaptureFixture) -> str:
    """What is logged at the level of a site."""
    return "\n".join(record.getMessage() for record in caplog.records if record.levelname in ("WARNING", "ERROR"))
