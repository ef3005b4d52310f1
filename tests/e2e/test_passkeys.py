"""A passkey is created, and used to sign in and to reauthenticate. The authenticator is Chromium's virtual one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.looks]
PASSWORD = "a long and quiet word"
DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_a_passkey_is_created_and_signs_in_by_itself(site: Site, open_page: Callable[..., Any]) -> None:
    page = open_page()
    base = site.url.replace("127.0.0.1", "localhost").rstrip("/")  # a passkey belongs to a name, not to a number
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})

    name = site.name("elena")
    page.goto(f"{base}/accounts/signup/")
    page.fill("[name=username]", name)
    page.fill("[name=password1]", PASSWORD)
    page.click("main [type=submit]")
    page.wait_for_url(f"{base}/")

    page.goto(f"{base}/settings/security/")
    page.click("text=Set up")
    page.click("text=Add a passkey")
    page.fill("[name=password]", PASSWORD)
    page.click("main [type=submit]")
    page.fill("[name=name]", "Laptop")
    page.click("main [type=submit]")
    page.wait_for_selector("ol.codes")
    assert page.locator("ol.codes li").count() == 10
    page.goto(f"{base}/accounts/2fa/webauthn/")
    assert "Laptop" in page.inner_text("main")

    page.goto(f"{base}/accounts/logout/")
    page.click("main [type=submit]")
    page.goto(f"{base}/accounts/login/?next=/settings/security/")
    page.click("text=Sign in with a passkey")
    page.wait_for_url(f"{base}/settings/security/")
    assert page.get_attribute("body", "data-player") == name
    assert "1 passkey." in page.inner_text("main")

    def session() -> str:
        return next(each["value"] for each in page.context.cookies() if each["name"] == "sessionid")

    before = session()
    page.goto(f"{base}/accounts/2fa/webauthn/reauthenticate/?next=/settings/programs/")
    page.click("text=Use a passkey or a security key")
    page.wait_for_url(f"{base}/settings/programs/")
    assert page.get_attribute("body", "data-player") == name
    assert session() != before


def test_a_member_signs_up_with_a_passkey_alone_and_signs_in_with_it(site: Site, open_page: Callable[..., Any]) -> None:
    page = open_page()
    base = site.url.replace("127.0.0.1", "localhost").rstrip("/")
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})

    name = site.name("elena")
    page.goto(f"{base}/accounts/signup/")
    page.fill("[name=username]", name)
    page.get_by_role("button", name="Sign up with a passkey").click()
    page.wait_for_url(f"{base}/")
    assert site.rows("select is_guest from accounts_user where username = ?", name) in ([(0,)], [(False,)])

    page.locator("#account-menu > summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{base}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(f"{base}/")
    page.locator(f"body[data-player={name}]").wait_for(state="attached")


def test_sign_up_says_what_is_wrong_while_it_is_typed(site: Site, open_page: Callable[..., Any]) -> None:
    page = open_page("/accounts/signup/")
    page.fill("[name=username]", "a")
    page.locator("[data-error=username] li").wait_for()
    page.fill("[name=username]", site.name("elena"))
    page.locator("[data-error=username] li").wait_for(state="detached")
    page.fill("[name=password1]", "12345")
    page.locator("[data-error=password1] li", has_text="too short").wait_for()
    page.get_by_role("button", name="Show password").click()
    assert page.locator("[name=password1]").get_attribute("type") == "text"
