"""Linking and unlinking: in the settings, and for accounts with the same address."""

from __future__ import annotations

import io
import zipfile

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse

from accounts.auth.linked_accounts import account_link, account_unlink
from accounts.errors import Refused
from accounts.models import User
from accounts.privacy import services as privacy
from accounts.privacy.archive import write_archive
from accounts.users import services as users
from tests.accounts.sso.browser import PERSON, Browser, code_of, come_back, confirm, leave, link, sign_up
from tests.conftest import PASSWORD
from tests.services import oidc_provider
from tests.services.oidc_provider import OIDCProvider

pytestmark = pytest.mark.django_db


def own(user: User, *, verified: bool = True) -> None:
    """Give a user the address of the person at the provider."""
    User.objects.filter(pk=user.pk).update(email="eva@norte.example")
    EmailAddress.objects.create(user=user, email="eva@norte.example", verified=verified, primary=True)


def test_an_account_with_the_same_address_has_to_prove_itself(
    provider: OIDCProvider, client: Client, ana: User
) -> None:
    own(ana)
    come_back(client)
    page = client.get(reverse("sso-sign-up")).content.decode()
    assert "There is an account here with your address eva@norte.example" in page
    assert 'value="eva@norte.example"' not in page
    sign_in = f"{reverse('account_login')}?next={reverse('security')}"
    assert sign_in in page
    assert not get_user(client).is_authenticated
    answer = client.post(sign_in, {"login": "ana", "password": PASSWORD})
    assert answer.headers["Location"] == reverse("security")
    confirm(client)
    come_back(client, "sso-link")
    assert SocialAccount.objects.get().user == ana


def test_an_unverified_claim_to_the_address_is_not_shown(provider: OIDCProvider, client: Client, ana: User) -> None:
    own(ana, verified=False)
    come_back(client)
    assert "There is an account here" not in client.get(reverse("sso-sign-up")).content.decode()


def test_a_new_account_does_not_take_the_address_of_another(provider: OIDCProvider, client: Client, ana: User) -> None:
    own(ana)
    sign_up(client)
    assert get_user(client).get_username() == "eva"
    assert EmailAddress.objects.get(email="eva@norte.example", verified=True).user == ana
    assert not SocialAccount.objects.filter(user=ana).exists()


def test_the_admin_may_let_verified_addresses_link(trusted: OIDCProvider, client: Client, ana: User) -> None:
    own(ana)
    come_back(client)
    assert get_user(client) == ana
    assert SocialAccount.objects.get().user == ana


@pytest.mark.parametrize("verified_there", [True, False])
def test_an_address_links_only_where_both_sites_have_verified_it(
    trusted: OIDCProvider, client: Client, ana: User, verified_there: bool
) -> None:
    own(ana, verified=not verified_there)
    trusted.person["email_verified"] = verified_there
    come_back(client)
    assert not get_user(client).is_authenticated
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
def test_an_address_never_links_staff(trusted: OIDCProvider, client: Client, ana: User, right: str) -> None:
    own(ana)
    User.objects.filter(pk=ana.pk).update(**{right: True})
    assert come_back(client).headers["Location"] == reverse("sso-sign-up")
    assert not SocialAccount.objects.exists()


def test_an_address_links_nobody_who_is_linked_to_another_account(
    trusted: OIDCProvider, client: Client, ana: User
) -> None:
    own(ana)
    account_link(user=ana, subject="another", label="x")
    assert come_back(client).headers["Location"] == reverse("sso-sign-up")
    assert SocialAccount.objects.get().uid == "another"


def test_a_member_links_in_the_settings_after_confirming_their_identity(
    provider: OIDCProvider, browser_of: Browser, ana: User
) -> None:
    client = browser_of(ana)
    assert reverse("account_reauthenticate") in client.post(reverse("sso-link")).headers["Location"]
    confirm(client)
    assert come_back(client, "sso-link").headers["Location"] == reverse("security")
    assert "You can sign in as <bdi>eva</bdi>" in client.get(reverse("security")).content.decode()
    other = Client()
    come_back(other)
    assert get_user(other) == ana


def test_an_account_of_somebody_else_is_not_linked(
    provider: OIDCProvider, browser_of: Browser, ana: User, bea: User
) -> None:
    link(ana)
    client = browser_of(bea)
    confirm(client)
    page = come_back(client, "sso-link")
    assert (page.status_code, code_of(page)) == (400, "sso_linked_elsewhere")
    assert SocialAccount.objects.get().user == ana


def test_a_second_account_of_the_provider_is_not_linked(provider: OIDCProvider, ana: User) -> None:
    link(ana)
    with pytest.raises(Refused) as refused:
        account_link(user=ana, subject="another", label="x")
    assert refused.value.code == "sso_one"


def test_a_link_that_another_member_began_is_refused(
    provider: OIDCProvider, browser_of: Browser, ana: User, bea: User
) -> None:
    client = browser_of(ana)
    confirm(client)
    back = oidc_provider.back_from(leave(client, "sso-link"))
    session = client.session
    states = session["socialaccount_states"]
    client.force_login(bea, backend=users.BACKEND)
    session = client.session
    session["socialaccount_states"] = states
    session.save()
    assert code_of(client.get(back)) == "sso_expired"
    assert not SocialAccount.objects.exists()


def test_unlinking_leaves_the_password(provider: OIDCProvider, browser_of: Browser, ana: User) -> None:
    link(ana)
    client = browser_of(ana)
    confirm(client)
    other = Client()
    come_back(other)
    assert get_user(other) == ana
    client.post(reverse("sso-unlink"))
    assert not SocialAccount.objects.exists()
    assert not get_user(other).is_authenticated
    assert "Not linked" in client.get(reverse("security")).content.decode()


def test_the_last_way_to_sign_in_is_not_unlinked(provider: OIDCProvider, client: Client) -> None:
    sign_up(client)
    page = client.post(reverse("sso-unlink"), follow=True).content.decode()
    assert "You would have no way left to sign in" in page
    assert SocialAccount.objects.exists()


def test_a_passkey_is_a_way_left_to_sign_in(provider: OIDCProvider, ana: User) -> None:
    link(ana)
    ana.set_unusable_password()
    ana.save()
    Authenticator.objects.create(user=ana, type=Authenticator.Type.TOTP, data={})
    with pytest.raises(Refused, match="sso_last"):
        account_unlink(user=ana, session_key=None)
    Authenticator.objects.create(user=ana, type=Authenticator.Type.WEBAUTHN, data={})
    account_unlink(user=ana, session_key=None)
    assert not SocialAccount.objects.exists()


def test_unlinking_what_is_not_linked_is_refused(provider: OIDCProvider, browser_of: Browser, ana: User) -> None:
    client = browser_of(ana)
    confirm(client)
    assert "is not linked to Club Norte" in client.post(reverse("sso-unlink"), follow=True).content.decode()


def test_accounts_of_a_former_provider_sign_nobody_in(provider: OIDCProvider, client: Client, ana: User) -> None:
    SocialAccount.objects.create(user=ana, provider="https://former.example", uid=PERSON["sub"])
    assert come_back(client).headers["Location"] == reverse("sso-sign-up")


def test_nothing_but_a_label_is_stored(provider: OIDCProvider, client: Client) -> None:
    sign_up(client)
    assert (SocialApp.objects.count(), SocialToken.objects.count()) == (0, 0)
    assert SocialAccount.objects.get().extra_data == {"label": "eva"}


def test_the_export_has_the_link_and_deletion_removes_it(provider: OIDCProvider, ana: User) -> None:
    link(ana, label="eva at the club")
    with zipfile.ZipFile(io.BytesIO(write_archive(ana, seconds=1e9).body)) as archive:
        assert "eva at the club" in archive.read("data/socialaccount.SocialAccount.json").decode()
    privacy.account_delete(user=ana)
    assert not SocialAccount.objects.exists()
