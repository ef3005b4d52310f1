"""A match analysis in a browser: requested after a match, made by the worker, and stepped through on the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe, layout
from tests.e2e.seats import play_on, two_in_a_match
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

Open = Callable[..., Any]
ANALYSIS_TIMEOUT = 120_000  # ms: a machine that is busy with other tests


def test_a_player_requests_the_analysis_and_steps_through_it(site: Site, open_page: Open) -> None:
    phone = {"viewport": (360, 740)}
    page, other = open_page(reduced_motion="reduce"), open_page(reduced_motion="reduce", **phone)
    players = two_in_a_match(page, other, length=1)
    play_on(players, until=lambda _player, state: state["match"]["status"] == "over")
    match_id = players[0].match_id

    page.goto(f"/match/{match_id}/")
    page.get_by_role("button", name="Analyse").click()
    page.locator(".cards-of").wait_for(timeout=ANALYSIS_TIMEOUT)
    assert page.locator(".card-of").count() == 2
    assert axe.sweep(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})

    # Players who always make the first legal play err more than twice even in a short game.
    page.locator("[data-filter=side]").select_option("")
    mistakes = page.locator(".error-item:visible")
    assert mistakes.count() > 2
    mistakes.first.locator("[data-show]").click()
    assert page.locator(".error-item.is-here").count() == 1
    assert page.locator(".arrow.played").count() > 0
    assert page.locator(".arrow.better").count() > 0
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-part=count]").inner_text().startswith("2 of ")
    page.get_by_role("button", name="Best").click()
    assert page.locator(".arrow").count() == 0
    page.locator("[data-filter=grade]").select_option("blunder")
    assert page.locator(".error-item.grade-error:visible").count() == 0
    page.locator(".error-item:visible details summary").first.click()
    assert page.locator(".error-item:visible .error-item-table").first.is_visible()

    other.goto(f"/match/{match_id}/report/")
    other.locator(".error-review.ready").wait_for()
    other.locator("[data-filter=side]").select_option("")
    other.set_viewport_size({"width": 360, "height": 740})
    assert not layout.scrolls_sideways(other)
    assert other.locator(".error-item:visible").count() == 1
    assert axe.sweep(other) == []


def test_the_result_dialog_links_to_the_analysis(site: Site, open_page: Open) -> None:
    players = two_in_a_match(open_page(reduced_motion="reduce"), open_page(), length=1)
    loser, _ = play_on(players, until=lambda _player, state: state["version"] > 8)
    page = next(player for player in players if player is not loser).sit()
    loser.act("resign match")
    dialog = page.locator("dialog[open]", has=page.locator("[data-part=result-title]"))
    dialog.get_by_role("button", name="Analyse").click()
    page.locator(".cards-of").wait_for(timeout=ANALYSIS_TIMEOUT)
    assert page.url.endswith(f"/match/{loser.match_id}/report/")
