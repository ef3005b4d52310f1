"""A match analysis in a browser: requested after a match, made by the worker, and stepped through on the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.seats import play_on, two_in_a_match
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

Open = Callable[..., Any]
ANALYSIS_TIMEOUT = 120_000  # ms: a machine that is busy with other tests


def test_the_result_dialog_links_to_the_analysis(site: Site, open_page: Open) -> None:
    players = two_in_a_match(open_page(reduced_motion="reduce"), open_page(), length=1)
    loser, _ = play_on(players, until=lambda _player, state: state["version"] > 8)
    page = next(player for player in players if player is not loser).sit()
    loser.act("resign match")
    dialog = page.locator("dialog[open]", has=page.locator("[data-part=result-title]"))
    dialog.get_by_role("button", name="Analyse").click()
    page.locator(".cards-of").wait_for(timeout=ANALYSIS_TIMEOUT)
    assert page.url.endswith(f"/match/{loser.match_id}/report/")
