"""Single sign-on between two sites of ours: a member of the club signs in to its sister club, in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.table import sign_up
from tools.services.site import Site, free_port, running

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.looks]

SECRET = "a secret of both clubs"
CLIENT = """
from allauth.idp.oidc.models import Client
client = Client(id="sister", name="Sister Club", type=Client.Type.CONFIDENTIAL, scopes="openid\\nprofile\\nemail",
                redirect_uris={back!r}, grant_types="authorization_code")
client.set_secret({secret!r})
client.save()
answer = None
"""
ADDRESS = """
from allauth.account.models import EmailAddress
from accounts.models import User
user = User.objects.get(username={name!r})
EmailAddress.objects.create(user=user, email={name!r} + "@club.example", verified=True, primary=True)
answer = None
"""


@pytest.fixture
def sister(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Another site, under another host name, whose people sign in with their account at the first one."""
    port = free_port()
    base = f"http://localhost:{port}"
    site.ask(CLIENT.format(back=f"{base}/accounts/sso/callback/", secret=SECRET))
    env = {
        "SSO_ISSUER": site.url.rstrip("/"),
        "SSO_CLIENT_ID": "sister",
        "SSO_CLIENT_SECRET": SECRET,
        "SSO_NAME": "Club Norte",
        "SITE_URL": base,
    }
    with running(tmp_path_factory.mktemp("sister"), "--without-accounts", "--port", str(port), **env) as other:
        other.url = base
        yield other


def test_a_member_of_one_site_signs_in_to_another(site: Site, sister: Site, open_page: Callable[..., Any]) -> None:
    page, name = open_page(), site.name("ana")
    sign_up(page, name)
    site.ask(ADDRESS.format(name=name))

    page.goto(f"{sister.url}/accounts/login/")
    page.get_by_role("button", name="Sign in with Club Norte").click()
    page.get_by_role("button", name="Authorise").click()
    page.wait_for_url(f"{sister.url}/accounts/sso/signup/")
    assert page.input_value("#id_username") == name
    assert axe.sweep(page) == []
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url(f"{sister.url}/")
    assert page.get_attribute("body", "data-player") == name

    page.goto(f"{sister.url}/settings/security/")
    assert f"You can sign in as {name}." in page.inner_text("main")
    assert axe.sweep(page) == []
    page.goto(f"{sister.url}/accounts/logout/")
    page.click("main [type=submit]")
    page.goto(f"{sister.url}/accounts/login/?next=/settings/security/")
    assert axe.sweep(page) == []
    page.get_by_role("button", name="Sign in with Club Norte").click()
    page.get_by_role("button", name="Authorise").click()
    page.wait_for_url(f"{sister.url}/settings/security/")
    assert page.get_attribute("body", "data-player") == name
