"""A report card in a browser: asked for after a match, made by the worker, and stepped through on the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe, layout
from tests.e2e.seats import play_on, two_at_a_table
from tests.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

Open = Callable[..., Any]
MAKING = 120_000  # ms: a machine that is busy with other tests


def test_who_has_played_asks_for_the_card_and_steps_through_it(site: Site, open_page: Open) -> None:
    phone = {"viewport": (360, 740)}
    page, other = open_page(reduced_motion="reduce"), open_page(reduced_motion="reduce", **phone)
    players = two_at_a_table(page, other, length=1)
    play_on(players, until=lambda _player, state: state["match"]["status"] == "over")
    match_id = players[0].match_id

    page.goto(f"/match/{match_id}/")
    page.get_by_role("button", name="Report card").click()
    page.locator(".cards-of").wait_for(timeout=MAKING)
    assert page.locator(".card-of").count() == 2
    assert axe.sweep(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})

    # Who always makes the first play there is errs often: two who do so err more than twice even in a short game.
    page.locator("[data-filter=side]").select_option("")
    slips = page.locator(".slip:visible")
    assert slips.count() > 2
    slips.first.locator("[data-show]").click()
    assert page.locator(".slip.is-here").count() == 1
    assert page.locator(".arrow.played").count() > 0
    assert page.locator(".arrow.better").count() > 0
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-part=count]").inner_text().startswith("2 of ")
    page.get_by_role("button", name="Better").click()
    assert page.locator(".arrow").count() == 0
    page.locator("[data-filter=grade]").select_option("blunder")
    assert page.locator(".slip.grade-error:visible").count() == 0
    page.locator(".slip:visible details summary").first.click()
    assert page.locator(".slip:visible .slip-table").first.is_visible()

    other.goto(f"/match/{match_id}/report/")
    other.locator(".slips.ready").wait_for()
    other.locator("[data-filter=side]").select_option("")
    other.set_viewport_size({"width": 360, "height": 740})
    assert not layout.scrolls_sideways(other)
    assert other.locator(".slip:visible").count() == 1
    assert axe.sweep(other) == []


def test_the_result_of_a_match_leads_to_its_card(site: Site, open_page: Open) -> None:
    players = two_at_a_table(open_page(reduced_motion="reduce"), open_page(), length=1)
    loser, _ = play_on(players, until=lambda _player, state: state["version"] > 8)
    page = next(player for player in players if player is not loser).sit()
    loser.act("resign match")
    dialog = page.locator("dialog[open]", has=page.locator("[data-part=result-title]"))
    dialog.get_by_text("Report card").click()
    page.locator(".cards-of").wait_for(timeout=MAKING)
    assert page.url.endswith(f"/match/{loser.match_id}/report/")
