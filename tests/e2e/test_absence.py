"""A rival who closes his page: the other one sees it, and claims the match, or adjourns it until both are back."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.conftest import ON_POSTGRES
from tests.e2e.seats import Player, plays, text_of, two_at_a_table
from tests.services.site import Site, own_database, running

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OpenPage = Callable[..., Any]
WAIT = 14  # seconds that one waits for a rival who is away, in place of two minutes


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Site]:
    """A site of this module's own, where the countdown is short and a restart excuses nobody."""
    with ExitStack() as stack:
        env = {"ABSENCE_SECONDS": str(WAIT), "ABSENCE_GRACE_SECONDS": "0"}
        if ON_POSTGRES:
            url = own_database(os.environ["DATABASE_URL"], f"tablero_absence_{worker_id}")
            env["DATABASE_URL"] = stack.enter_context(url)
        yield stack.enter_context(running(tmp_path_factory.mktemp("absence"), "--without-accounts", **env))


def at_the_table(open_page: OpenPage) -> tuple[Player, Player]:
    """ana and bea, both with their pages open, in a match where it is bea's turn."""
    ana, bea = two_at_a_table(open_page("/"), open_page("/"))
    for player in (ana, bea):
        player.prefer(auto_roll=False, auto_forced=False)
    while (state := ana.state())["position"]["turn"] != "black":
        if state["position"]["phase"] == "opening":  # also after a tie
            ana.act("roll")
            bea.act("roll")
        else:
            ana.act(text_of(plays(state["position"]["tree"])[0]) if "move" in state["may"] else "roll")
    for player in (ana, bea):
        player.sit()
    return ana, bea


def leave(bea: Player, ana: Player) -> None:
    """bea closes her page; ana's page says so."""
    ana.page.locator("[data-strip=them].present").wait_for()
    left = time.monotonic()
    bea.page.goto("about:blank")
    ana.page.locator("[data-strip=them] [data-part=presence]:not([hidden])").wait_for()
    ana.page.locator("[data-part=absence-text]", has_text="is away").wait_for()
    assert time.monotonic() - left < 15


@pytest.mark.timeout(300)
def test_who_closes_his_page_is_away_within_fifteen_seconds_and_loses_the_match_in_the_end(
    open_page: OpenPage,
) -> None:
    ana, bea = at_the_table(open_page)
    leave(bea, ana)
    assert ana.page.locator("[data-ask=claim]").is_hidden()
    ana.page.locator("[data-ask=claim]").click()
    assert ana.page.evaluate("() => document.activeElement.dataset.part") == "confirm-back"
    ana.page.locator("dialog[open] [data-part=confirm-yes]").click()
    ana.page.locator("[data-part=result-title]").wait_for()
    assert ana.page.locator("[data-part=result-title]").inner_text() == "You win the match"
    assert "was away" in ana.page.locator("[data-part=result-text]").inner_text()
    assert ana.state()["match"]["result"] == {"winner": "white", "by": "absent"}


@pytest.mark.timeout(300)
def test_an_adjourned_match_goes_on_when_both_are_back(open_page: OpenPage) -> None:
    ana, bea = at_the_table(open_page)
    leave(bea, ana)
    ana.page.locator("[data-ask=adjourn]").click()
    ana.page.locator("[data-part=headline]", has_text="Adjourned").wait_for()

    bea.page.goto("/")
    bea.page.locator("#adjourned button").click()
    bea.page.locator("[data-part=detail]", has_text="Waiting for your rival").wait_for()
    ana.page.locator("[data-part=detail]", has_text="wants to go on").wait_for()
    ana.page.locator("[data-ask=go-on]").click()
    bea.page.locator("[data-part=headline]", has_text="Your turn").wait_for()
    ana.page.locator("[data-strip=them].turn").wait_for()
    assert ana.state()["paused"] is None


@pytest.mark.timeout(300)
def test_who_comes_back_in_time_plays_on(open_page: OpenPage) -> None:
    ana, bea = at_the_table(open_page)
    leave(bea, ana)
    bea.sit()
    ana.page.locator("[data-part=absence]").wait_for(state="hidden")
    ana.page.locator("[data-strip=them].present").wait_for()
