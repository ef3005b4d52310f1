"""bea exports her data and deletes her account; ana's history shows a deleted account, and the match still replays."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe, layout
from tests.e2e.test_history import finished, rows

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
PASSWORD = "correct horse battery"


def assert_accessible(page: Any) -> None:
    assert axe.sweep(page) == []
    assert not layout.scrolls_sideways(page)


def test_bea_exports_her_data_and_deletes_her_account_and_the_match_replays(open_page: Open) -> None:
    ana, bea = open_page(reduced_motion="reduce"), open_page(viewport=(360, 740), reduced_motion="reduce")
    match_id = finished(ana, bea, length=1).match_id
    bea.goto("/accounts/signup/")
    bea.locator("#id_username").fill("beatriz.leaves")
    bea.locator("#id_password1").fill(PASSWORD)
    bea.locator("main form button[type=submit]").click()
    bea.wait_for_url(lambda url: "signup" not in url)

    bea.goto("/settings/")
    bea.get_by_role("link", name="Export your data").click()
    assert_accessible(bea)
    bea.get_by_role("button", name="Export my data").click()
    with bea.expect_download() as download:
        bea.get_by_role("link", name="Download").click()
    assert_accessible(bea)
    archive = zipfile.ZipFile(io.BytesIO(open(download.value.path(), "rb").read()))  # noqa: SIM115
    assert json.loads(archive.read("data/accounts.User.json"))[0]["username"] == "beatriz.leaves"
    assert [name for name in archive.namelist() if name.endswith(f"_{match_id}.mat")]

    bea.goto("/settings/leave/")
    assert_accessible(bea)
    bea.get_by_label("Your password").fill(PASSWORD)
    bea.get_by_label(re.compile("Type your username")).fill("beatriz.leaves")
    bea.get_by_role("button", name="Delete my account").click()
    bea.get_by_text("Your account has been deleted. Thank you for playing.").wait_for()
    bea.goto("/settings/")
    assert "/accounts/login/" in bea.url

    ana.goto("/history/")
    assert rows(ana).count() == 1
    assert "deleted account" in rows(ana).inner_text()
    assert "beatriz" not in ana.content()
    rows(ana).get_by_role("link", name="Replay").click()
    ana.locator("[data-part=headline]", has_text="Start of the game").wait_for()
    ana.locator("[data-go=last]").click()
    ana.locator("[data-part=detail]", has_text="resigned the match").wait_for()
    ana.goto("/history/")
    left = re.search(r"player-\d{8}", rows(ana).inner_text())
    assert left is not None
    ana.goto(f"/players/{left[0]}/")
    ana.get_by_text("This account was deleted.").wait_for()
    assert_accessible(ana)
