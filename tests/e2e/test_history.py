"""History on a phone: search and filter, star and annotate a match, replay it, export all matches."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe, layout
from tests.e2e.seats import Player, two_in_a_match
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
PHONE = {"viewport": (360, 740), "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


def finished(ana: Any, bea: Any, **terms: Any) -> Player:
    """Play a match that bea resigns, and return ana."""
    players = two_in_a_match(ana, bea, **terms)
    players[1].act("resign match")
    return players[0]


def is_accessible(page: Any) -> bool:
    """Assert that axe finds no violation; whether the page fits its width."""
    assert axe.sweep(page) == []
    return not layout.scrolls_sideways(page)


def rows(page: Any) -> Any:
    return page.locator(".matches-table tbody tr")


def test_matches_are_searched_starred_and_replayed_on_a_phone(site: Site, open_page: Open) -> None:
    phone, other = open_page(**PHONE), open_page(reduced_motion="reduce")
    first = finished(phone, other, length=3).match_id
    finished(phone, other, length=1, variant="damas", cube="", mode="obligatoria")

    phone.goto("/history/")
    assert rows(phone).count() == 2
    assert is_accessible(phone)

    # A filter is in the URL and shown as a removable chip above the list.
    phone.locator(".filters > summary").tap()
    phone.locator("#filter-variant").select_option("backgammon")
    phone.locator(".filter-actions button").tap()
    phone.wait_for_url(re.compile(r"/history/\?variant=backgammon#matches$"))
    assert rows(phone).count() == 1
    assert phone.locator(".chosen-chip bdi").all_inner_texts() == ["Game: Backgammon"]
    assert not layout.scrolls_sideways(phone)

    # A star and a note, without a page load.
    row = phone.locator(f"#match-{first}")
    row.locator(".star").tap()
    row.locator(".star[aria-pressed=true]").wait_for()
    row.locator(".marks-summary").tap()
    assert is_accessible(phone)
    row.get_by_label("Tags").fill("To study, prime")
    row.get_by_label("Note").fill("The cube came too late.")
    row.locator(".marks-form button").tap()
    row.locator(".marks-note", has_text="too late").wait_for()
    row.locator(".marks-summary:focus").wait_for()
    phone.goto("/history/?favourite=on&tag=to+study")
    assert rows(phone).count() == 1
    assert phone.locator(".chosen-chip bdi").all_inner_texts() == ["Tag: To study", "Favourites only"]

    # The opponent sees none of it, whatever the URL.
    other.goto("/history/?favourite=on")
    assert rows(other).count() == 0
    other.goto("/matches/?favourite=on")
    assert "too late" not in other.content()

    rows(phone).get_by_role("link", name="Replay").tap()
    phone.locator("[data-part=headline]", has_text="Start of the game").wait_for()
    assert phone.locator(".star[aria-pressed=true]").count() == 1
    phone.locator("[data-go=last]").tap()
    phone.locator("[data-part=detail]", has_text="resigned the match").wait_for()

    phone.goto("/history/?rival=nobody.at.all")
    phone.locator(".empty", has_text="No matches with these filters.").wait_for()


def test_the_whole_archive_is_created_while_the_user_waits(site: Site, open_page: Open) -> None:
    page, other = open_page(), open_page()
    match_id = finished(page, other, length=1).match_id
    page.goto("/history/")
    page.get_by_role("link", name="Export all").click()
    assert is_accessible(page)
    page.get_by_role("button", name="Create file").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    body = open(download.value.path(), "rb").read()  # noqa: SIM115
    names = zipfile.ZipFile(io.BytesIO(body)).namelist()
    assert [name for name in names if name.endswith(f"_{match_id}.mat")]
    assert {"matches.csv", "marks.json", "README.txt"} <= set(names)
