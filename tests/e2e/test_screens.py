"""The match page on a phone, a tablet and a desktop: large targets, no overlaps, no layout shifts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import layout
from tests.e2e.seats import PATIENCE, against_the_computer, guest, play_on, two_in_a_match, waiting_for
from tests.e2e.table import MatchPage, painted
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
PHONE = {"viewport": (360, 740), "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
STRIPS = ("[data-strip=them]", ".bd", "[data-strip=me]")
STEADY = 0.02


def test_a_play_is_made_with_one_finger(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(**PHONE), open_page())
    mover, _ = play_on([ana, bea], until=lambda player, state: player is ana and "move" in state["may"])
    page = mover.sit()
    match_page = MatchPage(page)
    undo, done = page.locator("[data-do=undo]"), page.locator("[data-do=done]")
    done.wait_for()
    before = page.locator(".bd-grid").inner_text()
    assert not layout.scrolls_sideways(page)
    assert layout.overlaps(page) == []
    assert layout.small_targets(page) == []
    assert layout.below_the_fold(page, *STRIPS, "[data-do=done]") == []

    x, y, _ = match_page.movable_places()[0]
    page.touchscreen.tap(x, y)
    undo.tap()
    assert page.locator(".bd-grid").inner_text() == before
    while not done.is_enabled():
        x, y, _ = match_page.movable_places()[0]
        page.touchscreen.tap(x, y)
        painted(page)
    done.tap()
    waiting_for([bea], "roll")


def test_no_page_scrolls_sideways_on_a_phone(site: Site, open_page: Open) -> None:
    player = guest(open_page(**PHONE))
    for path in ("/", "/settings/", "/history/", "/players/", "/accounts/signup/", "/accounts/login/"):
        player.page.goto(path)
        assert not layout.scrolls_sideways(player.page), path


def test_the_whole_match_fits_without_scrolling(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(), open_page())
    play_on([ana, bea], until=lambda player, state: player is ana and "move" in state["may"])
    page = ana.page
    for width, height in ((1280, 720), (1440, 900), (1920, 1080), (1024, 768), (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        ana.sit()
        page.locator("[data-do=done]:visible").wait_for()
        tools = (".match-tools",) if height > 700 else ()
        assert layout.below_the_fold(page, *STRIPS, ".match-act", *tools) == [], (width, height)
        assert not layout.scrolls_sideways(page), (width, height)
        assert layout.overlaps(page) == [], (width, height)
        board = page.locator(".bd").bounding_box()
        assert board["width"] > 0.45 * width


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_the_layout_does_not_shift(site: Site, open_page: Open, size: tuple[int, int]) -> None:
    page = open_page(viewport=size)
    page.context.add_init_script(layout.SHIFTS)
    page.goto("/")
    page.wait_for_timeout(1000)  # no shift must happen
    assert layout.shifted(page)[0] < STEADY, layout.shifted(page)
    player = against_the_computer(page)
    page.goto("/")
    page.wait_for_timeout(700)
    assert layout.shifted(page)[0] < STEADY, layout.shifted(page)

    table = MatchPage(player.sit())
    end = time.monotonic() + PATIENCE
    while not (player.played("white") and player.played("black")):
        assert time.monotonic() < end
        if not table.step(choose=lambda buttons: next((each for each in ("take", "roll") if each in buttons), None)):
            page.wait_for_timeout(100)
    page.wait_for_timeout(1000)
    assert layout.shifted(page)[0] < STEADY, layout.shifted(page)


@pytest.mark.parametrize(("width", "shown"), [(360, False), (1000, True), (1280, True)])
@pytest.mark.parametrize("scripts", [True, False])
def test_the_contents_of_the_rules_are_folded_where_there_is_no_room_beside_them(
    site: Site, open_page: Open, width: int, shown: bool, scripts: bool
) -> None:
    """Without a script as with it: one that folds or unfolds them would move the page."""
    page = open_page("/rules/backgammon/", viewport=(width, 740), java_script_enabled=scripts)
    assert page.locator(".rules-toc a").first.is_visible() is shown
    if not shown:
        page.locator(".rules-toc summary").click()
        page.locator(".rules-toc a").first.wait_for()
