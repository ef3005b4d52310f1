"""Notifications: on another page without a reload, and by e-mail in the user's language with one-click unsubscribe."""

from __future__ import annotations

import email
import re
import time
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.table import challenge, sign_up
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

OpenPage = Callable[..., Any]
PATIENCE = 60
ADDRESS = """
from allauth.account.models import EmailAddress
from accounts.models import User
user = User.objects.get(username="{name}")
EmailAddress.objects.create(user=user, email="{name}@club.example", verified=True, primary=True)
answer = user.language
"""


def mail_to(site: Site, name: str) -> EmailMessage:
    """The e-mail to a member."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for path in sorted(Path(site.var / "mail").glob("*.log")):
            for text in re.split(rb"\n-{70,}\n", path.read_bytes()):
                if text.strip():
                    message = email.message_from_bytes(text.lstrip(), policy=default)
                    if message["To"] == f"{name}@club.example":
                        return message  # type: ignore[return-value]
        time.sleep(0.2)
    raise AssertionError("no e-mail arrived")


@pytest.mark.timeout(300)
def test_a_challenge_notifies_bea_on_another_page_and_by_email_in_her_language(site: Site, open_page: OpenPage) -> None:
    ana, bea = open_page(), open_page(locale="es-ES", viewport=(360, 740))
    names = site.name("ana"), site.name("bea")
    sign_up(ana, names[0])
    sign_up(bea, names[1])
    assert site.ask(ADDRESS.format(name=names[1])) == "es"
    bea.goto("/players/")
    bea.wait_for_selector("html[data-lobby-socket=open]")
    assert bea.locator(".bell-count").is_hidden()
    challenge(ana, names[1], length=3)
    bea.locator(".bell-count", has_text="1").wait_for()  # without a reload
    assert bea.locator("[data-bell]").get_attribute("aria-label") == "Notificaciones: 1 sin leer"

    message = mail_to(site, names[1])
    assert message["Subject"] == f"{names[0]} te reta"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    text = message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    html = message.get_body(("html",)).get_content()  # type: ignore[union-attr]
    assert "Nuevo reto" in text
    assert f"{names[0]} te reta." in text
    assert f"{names[0]} te reta." in html

    bea.locator("[data-bell]").click()
    bea.locator(".notification-unread", has_text="Nuevo reto").click()
    bea.wait_for_url(re.compile(r"/match/\w+/$"))
    bea.wait_for_selector("[data-bell]")
    assert bea.locator(".bell-count").is_hidden()
    assert f"{bea.url}\n" in text

    visitor = open_page()
    visitor.goto(str(message["List-Unsubscribe"]).strip(" <>\r\n"))
    visitor.get_by_role("button", name="Dejar de recibir correos").click()
    visitor.get_by_role("heading", name="Hecho").wait_for()
    assert site.rows(
        "SELECT p.digest FROM notifications_notificationpreferences p JOIN accounts_user u ON u.id = p.user_id"
        " WHERE u.username = ?",
        names[1],
    ) == [("never",)]


@pytest.mark.timeout(200)
def test_notification_settings_are_saved(site: Site, open_page: OpenPage) -> None:
    bea = open_page(timezone_id="America/Lima")
    sign_up(bea, site.name("bea"))
    bea.goto("/settings/notices/")
    assert bea.locator("#id_timezone").input_value() == "America/Lima"
    assert bea.locator("#id_hour").is_hidden()
    bea.locator("label", has=bea.locator("input[name=digest][value=daily]")).click()
    bea.locator("#id_hour").select_option("19")
    bea.locator("label[for=id_quiet]").click()
    bea.locator("#id_quiet_from").fill("22:30")
    bea.locator("label[for='id_talk-mail']").click()
    bea.locator("[data-notification-preferences] button[type=submit]").click()
    bea.locator(".messages").wait_for()
    assert bea.locator("#id_hour").input_value() == "19"
    assert bea.locator("#id_quiet_from").input_value() == "22:30"
    assert bea.locator("[id='id_talk-mail']").is_checked()
