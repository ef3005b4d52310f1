"""A newcomer alone with the computer: a match, its report card, and the trainer on what went wrong.

One walk of one person through the whole site, as a visitor of the club would do it on the first evening.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe, layout
from tests.e2e.seats import LONG, Player, plays, text_of
from tests.e2e.table import AtTheTable, sign_up
from tests.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks, pytest.mark.timeout(600)]

Open = Callable[..., Any]
MAKING = 240_000  # ms: cards are made at a low priority, which on a busy machine means late
CLICKED = 2  # plays made by hand, before the rest goes over HTTP
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
CHEERFUL = ("double", "take", "roll")
"""What a newcomer does as soon as he may: so the match to 3 is soon over, and there are cube errors on its card."""


def test_a_newcomer_plays_the_computer_reads_the_card_and_trains_on_an_error(site: Site, open_page: Open) -> None:
    page = open_page(reduced_motion="reduce")
    ana = Player(page)
    sign_up(page, site.name("ana"))

    sits_down_with_the_computer(ana, strength="Expert")
    plays_by_hand(ana, CLICKED)
    assert plays_carelessly(ana)["match"]["score"]["black"] >= 3

    asks_for_the_report_card(ana)
    steps_through_the_errors(page)
    answers_an_error_of_ones_own(page)


def sits_down_with_the_computer(ana: Player, *, strength: str) -> None:
    """The computer, a strength, 3 points, no clock: chosen in the lobby; the board stands at the end."""
    page = ana.page
    page.goto("/")
    page.locator(".match-form .chip", has_text="The computer").click()
    page.locator(".tiles-strengths .chip", has_text=strength).click()
    page.evaluate("() => { document.getElementById('match-terms').dataset.before = 'yes' }")
    page.locator(".match-form label", has=page.locator("input[name=length][value='3']")).click()
    page.locator("#match-terms:not([data-before])").wait_for()  # the clocks of that length have come
    page.locator(".match-form label", has=page.locator("input[name=clock][value=none]")).click()
    page.get_by_role("button", name="Let's play").click()
    page.wait_for_url(re.compile(r"/match/\w+/$"))
    ana.match_id = page.url.rstrip("/").rsplit("/", 1)[-1]
    page.locator(".bd-grid button").first.wait_for(state="attached")
    terms = ana.state()["match"]
    assert (terms["length"], terms["clock"], terms["rated"]) == (3, "none", False)


def plays_by_hand(ana: Player, count: int) -> None:
    """So many plays with the pointer: the man furthest back, as far as the first number takes him."""
    table, end = AtTheTable(ana.page), time.monotonic() + LONG
    while len(ana.played("white")) < count:
        assert time.monotonic() < end, ana.page.locator("[data-part=headline]").inner_text()
        if not table.step(wish=lambda buttons: "roll" if "roll" in buttons else None):
            ana.page.wait_for_timeout(50)


def plays_carelessly(ana: Player) -> dict[str, Any]:
    """The last play of each tree, over HTTP, and every cube offered and taken, to the end: the match as it ended."""
    end = time.monotonic() + LONG
    while (state := ana.state())["match"]["status"] != "over":
        assert time.monotonic() < end, state
        if "move" in state["may"]:
            ana.act_after(state, text_of(plays(state["position"]["tree"])[-1]))
        elif wish := next((each for each in CHEERFUL if each in state["may"]), None):
            ana.act_after(state, wish)
        else:
            time.sleep(0.05)  # the computer thinks
    return state


def asks_for_the_report_card(ana: Player) -> None:
    """By the button of the finished match; the page of its progress becomes the card by itself."""
    page = ana.page
    page.goto(f"/match/{ana.match_id}/")
    page.get_by_role("button", name="Report card").click()
    page.locator("#coming, .cards-of").first.wait_for()
    page.locator(".cards-of").wait_for(timeout=MAKING)
    assert page.locator(".card-of").count() == 2
    assert axe.sweep(page) == []


def steps_through_the_errors(page: Any) -> None:
    """The blunders alone, by keys and buttons, each with its words; the first of them on a phone, too."""
    page.set_viewport_size(DESK)
    page.locator("[data-filter=side]").select_option("")  # a short match may hold few of one player alone
    page.locator("[data-filter=grade]").select_option("blunder")
    blunders = page.locator(".slip:visible")
    count, many = page.locator("[data-part=count]"), blunders.count()
    assert many > 2
    blunders.first.locator("[data-show]").click()
    assert count.inner_text() == f"1 of {many}"

    page.keyboard.press("ArrowRight")
    assert count.inner_text() == f"2 of {many}"
    page.get_by_role("button", name="Next").click()
    assert count.inner_text() == f"3 of {many}"
    page.get_by_role("button", name="Previous").click()
    page.keyboard.press("ArrowLeft")
    assert count.inner_text() == f"1 of {many}"
    here = page.locator(".slip.is-here")
    assert here.locator(".slip-body p").first.inner_text().endswith(".")

    page.locator(".slip:visible:has(.slip-table) .slip-show").first.click()
    assert page.locator(".arrow.played").count() > 0
    assert page.locator(".arrow.better").count() > 0
    page.get_by_role("button", name="As played").click()
    assert page.locator(".arrow").count() == 0

    page.set_viewport_size(PHONE)
    assert blunders.count() == 1
    assert not layout.scrolls_sideways(page)
    page.set_viewport_size(DESK)


def answers_an_error_of_ones_own(page: Any) -> None:
    """The trainer asks for one of those decisions; a play is made on the board, and its answer is read."""
    page.get_by_role("link", name="Train on your errors").click()
    page.locator("#puzzle-board .bd-grid button").first.wait_for(state="attached")
    while page.locator(".puzzle-form button[name=answer]").count():  # to double, or to take: answered by a button
        page.locator(".puzzle-form button[name=answer]").first.click()
        page.locator("#verdict [data-next]").click()
        page.locator("#puzzle-board .bd-grid button").first.wait_for(state="attached")
    left = int(page.locator(".figure .number").first.inner_text())
    assert left > 0

    table, written = AtTheTable(page), page.locator("#id_answer")
    assert written.input_value() == ""
    while men := table.men():
        x, y, _ = men[0]
        page.mouse.click(x, y)
    assert "/" in written.input_value()
    page.get_by_role("button", name="Done").click()
    page.locator(".verdict-of").wait_for()

    assert re.match(r"Right: |Good enough\. |Better: ", page.locator(".verdict-word").inner_text())
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
