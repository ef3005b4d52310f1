"""A new user against the computer: a match, its analysis, and the trainer on the errors of that match.

One user goes through the whole site, as a new member of the club would.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe, layout
from tests.e2e.seats import LONG, Player, plays, text_of
from tests.e2e.table import MatchPage, sign_up
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.timeout(600)]

Open = Callable[..., Any]
ANALYSIS_TIMEOUT = 240_000  # ms: analysis runs at low priority, so it is late on a busy machine
CLICKED = 2  # plays made by hand, before the rest goes over HTTP
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
EAGER = ("double", "take", "roll")
"""Actions taken whenever possible: so the match to 3 is short, and its analysis has cube errors."""


def test_a_newcomer_plays_the_computer_reads_the_analysis_and_practises_an_error(site: Site, open_page: Open) -> None:
    page = open_page(reduced_motion="reduce")
    ana = Player(page)
    sign_up(page, site.name("ana"))

    starts_a_match_with_the_computer(ana, strength="Expert")
    plays_by_hand(ana, CLICKED)
    assert max(plays_the_rest(ana)["match"]["score"].values()) >= 3

    requests_the_analysis(ana)
    steps_through_the_errors(page)
    answers_a_puzzle_of_the_trainer(page)


def starts_a_match_with_the_computer(ana: Player, *, strength: str) -> None:
    """Choose the computer, a strength, 3 points and no clock in the lobby, and wait for the board."""
    page = ana.page
    page.goto("/?custom")
    page.locator(".match-form .chip", has_text="The computer").click()
    page.locator(".tiles-strengths .chip", has_text=strength).click()
    page.evaluate("() => { document.getElementById('match-terms').dataset.before = 'yes' }")
    page.locator(".match-form label", has=page.locator("input[name=length][value='3']")).click()
    page.locator("#match-terms:not([data-before])").wait_for()  # the clocks for that length are loaded
    page.locator(".match-form label", has=page.locator("input[name=clock][value=none]")).click()
    page.get_by_role("button", name="Create match").click()
    page.wait_for_url(re.compile(r"/match/\w+/$"))
    ana.match_id = page.url.rstrip("/").rsplit("/", 1)[-1]
    page.locator(".bd-grid button").first.wait_for(state="attached")
    terms = ana.state()["match"]
    assert (terms["length"], terms["clock"], terms["rated"]) == (3, "none", False)


def plays_by_hand(ana: Player, count: int) -> None:
    """Make so many plays with the pointer: the rearmost checker moves the first die."""
    table, end = MatchPage(ana.page), time.monotonic() + LONG
    while len(ana.played("white")) < count:
        assert time.monotonic() < end, ana.page.locator("[data-part=headline]").inner_text()
        if not table.step(choose=lambda buttons: "roll" if "roll" in buttons else None):
            ana.page.wait_for_timeout(100)


def plays_the_rest(ana: Player) -> dict[str, Any]:
    """Play the last play of each tree over HTTP, double and take whenever possible; return the final state."""
    end = time.monotonic() + LONG
    while (state := ana.state())["match"]["status"] != "over":
        assert time.monotonic() < end, state
        if "move" in state["may"]:
            ana.act_after(state, text_of(plays(state["position"]["tree"])[-1]))
        elif action := next((each for each in EAGER if each in state["may"]), None):
            ana.act_after(state, action)
        else:
            time.sleep(0.2)  # the computer is thinking
    return state


def requests_the_analysis(ana: Player) -> None:
    """Request the analysis from the finished match; the progress page turns into the analysis without a reload."""
    page = ana.page
    page.goto(f"/match/{ana.match_id}/")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator("#coming, .cards-of").first.wait_for()
    page.locator(".cards-of").wait_for(timeout=ANALYSIS_TIMEOUT)
    assert page.locator(".card-of").count() == 2
    assert axe.sweep(page) == []


def steps_through_the_errors(page: Any) -> None:
    """Step through the errors with keys and buttons, each with its explanation, on a phone too."""
    page.set_viewport_size(DESK)
    page.locator("[data-filter=side]").select_option("")  # a short match may hold few of one player alone
    errors = page.locator(".error-item:visible")
    page.locator("[data-filter=grade]").select_option("blunder")
    blunders = errors.count()
    page.locator("[data-filter=grade]").select_option("doubtful")  # blunders alone may be few, with lucky dice
    count, many = page.locator("[data-part=count]"), errors.count()
    assert many >= max(3, blunders)
    errors.first.locator("[data-show]").click()
    assert count.inner_text() == f"1 of {many}"

    page.keyboard.press("ArrowRight")
    assert count.inner_text() == f"2 of {many}"
    page.get_by_role("button", name="Next").click()
    assert count.inner_text() == f"3 of {many}"
    page.get_by_role("button", name="Previous").click()
    page.keyboard.press("ArrowLeft")
    assert count.inner_text() == f"1 of {many}"
    here = page.locator(".error-item.is-here")
    assert here.locator(".error-item-body p").first.inner_text().endswith(".")

    page.locator(".error-item:visible:has(.error-item-table) .error-item-show").first.click()
    assert page.locator(".arrow.played").count() > 0
    assert page.locator(".arrow.better").count() > 0
    for spot in ("As played", "Best"):
        page.get_by_role("button", name=spot).click()
        assert page.locator(".arrow").count() == 0
    numbers = page.locator(".error-item:visible details", has=page.locator("table")).first
    numbers.locator("summary").click()
    assert numbers.locator("table").is_visible()
    numbers.locator("summary").click()

    page.set_viewport_size(PHONE)
    assert errors.count() == 1
    assert not layout.scrolls_sideways(page)
    page.set_viewport_size(DESK)


def answers_a_puzzle_of_the_trainer(page: Any) -> None:
    """Answer a puzzle of the trainer on the board and read the verdict."""
    page.get_by_role("link", name="Practise your mistakes").click()
    page.locator("#puzzle-board .bd-grid button").first.wait_for(state="attached")
    while page.locator(".puzzle-form button[name=answer]").count():  # to double, or to take: answered by a button
        page.locator(".puzzle-form button[name=answer]").first.click()
        page.locator("#verdict [data-next]").click()
        page.locator("#puzzle-board .bd-grid button").first.wait_for(state="attached")
    left = int(page.locator(".figure .number").first.inner_text())
    assert left > 0

    table, written = MatchPage(page), page.locator("#id_answer")
    assert written.input_value() == ""
    while places := table.movable_places():
        x, y, _ = places[0]
        page.mouse.click(x, y)
    assert "/" in written.input_value()
    page.get_by_role("button", name="Done").click()
    page.locator(".verdict-of").wait_for()

    assert re.match(r"Correct: |Good\. |Better: ", page.locator(".verdict-word").inner_text())
    assert page.locator(".arrow.better").count() > 0
    numbers = page.locator(".verdict-numbers")
    assert not numbers.locator("table").is_visible()
    numbers.locator("summary").click()
    assert numbers.locator("tbody tr").count() > 1
    assert axe.sweep(page) == []
    page.set_viewport_size(PHONE)
    assert not layout.scrolls_sideways(page)

    page.locator("[data-next]").click()
    page.locator(".puzzle, .empty").first.wait_for()
    assert not layout.scrolls_sideways(page)
