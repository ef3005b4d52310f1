"""A match analysis in a browser: requested in the result of a match, made by the worker, and shown there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.layout import scrolls_sideways
from tests.e2e.seats import play_on, two_in_a_match
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
ANALYSIS_TIMEOUT = 120_000  # ms: a machine that is busy with other tests

BUTTONS = """() => [...document.querySelectorAll('dialog[open] .match-dialog-buttons > :not([hidden])')]
    .map(each => each.getBoundingClientRect().y)"""
SAID = """
window.said = [];
addEventListener('DOMContentLoaded', () => {
    const status = document.querySelector('[data-part=analysis-status]');
    if (status) new MutationObserver(() => window.said.push(status.textContent)).observe(status, {childList: true});
});
"""


def test_the_result_dialog_shows_the_analysis(site: Site, open_page: Open) -> None:
    players = two_in_a_match(open_page(reduced_motion="reduce", viewport=(360, 740)), open_page(), length=1)
    # Far enough for several decisions, whatever the dice
    loser, _ = play_on(players, until=lambda player, state: player is players[1] and state["version"] > 24)
    winner, match = players[0], f"/match/{loser.match_id}/"
    winner.page.add_init_script(SAID)
    page = winner.sit()
    loser.act("resign match")
    dialog = page.locator("dialog[open]", has=page.locator("[data-part=result-title]"))
    analyse = dialog.get_by_role("button", name="Analyse")
    analyse.wait_for()
    before = page.evaluate(BUTTONS)

    analyse.click()
    dialog.locator(".quick-card").wait_for(timeout=ANALYSIS_TIMEOUT)
    assert page.url.endswith(match)
    assert dialog.locator(".quick-card-table tbody tr").count() == len(players)
    dialog.get_by_text("Turning point in game 1").wait_for()
    assert page.evaluate("() => document.activeElement.dataset.part") == "analysis"
    assert page.evaluate(BUTTONS) == before
    assert not scrolls_sideways(page)
    assert page.evaluate("() => window.said")[-1] == "The analysis is ready."
    assert len(set(page.evaluate("() => window.said"))) == len(page.evaluate("() => window.said"))

    assert axe.sweep(page, within="dialog[open]") == []

    loser.sit()  # the opponent sees the replay, with the same card
    loser.page.locator(".quick-card").wait_for()
    dialog.get_by_role("link", name="Show it on the board").click()
    page.locator(".match.is-over").wait_for()
    assert page.url.split("#")[0].endswith(match)
    assert page.url.split("#")[1].startswith("g1m")
