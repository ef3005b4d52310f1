"""Hints against the computer: shown on request, and a word before a blunder is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e import axe
from tests.e2e.seats import Player, against_the_computer, play_on, plays, text_of
from tests.e2e.table import typed_play
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.timeout(300)]

Open = Callable[..., Any]
LONG = 120_000  # ms: hints are computed at low priority


def test_a_guest_asks_for_a_hint_and_is_warned_before_a_blunder(site: Site, open_page: Open) -> None:
    ana = against_the_computer(open_page(reduced_motion="reduce"))
    ana.prefer(auto_forced=False)
    page = ana.sit()
    _, state = play_on([ana], until=lambda _, state: "move" in state["may"])
    ana.sees(state)

    page.keyboard.press("h")
    dialog = page.locator("[data-part=hint-dialog][open]")
    expect(dialog.locator("[data-part=hint-best]")).to_contain_text("/", timeout=LONG)
    best = dialog.locator("[data-part=hint-best]").inner_text()
    expect(dialog.locator("[data-part=hint-options] li").first).to_contain_text("points less")
    dialog.locator("label.switch").filter(has_text="Warn me before").click()
    assert axe.sweep(page, within="[data-part=hint-dialog]") == []
    page.keyboard.press("Escape")

    worst, played = worst_play(ana, state), len(ana.played("white"))
    typed_play(page).fill(worst)
    page.keyboard.press("Enter")
    page.locator("[data-do=done]:enabled").click()
    warning = page.locator("[data-part=confirm-dialog][open]")
    expect(warning).to_contain_text("That's a blunder", timeout=LONG)
    expect(warning).to_contain_text(f"{best} is better by")
    warning.locator("[data-part=confirm-back]").click()
    assert "move" in ana.state()["may"]
    page.locator("[data-do=done]:enabled").click()
    page.locator("[data-part=confirm-yes]:enabled").click()
    ana.reaches(lambda now: now["version"] > state["version"])
    assert len(ana.played("white")) == played + 1


def worst_play(ana: Player, state: dict[str, Any]) -> str:
    """The play that gives away the most, of those that a hint judges."""
    texts = {text_of(play) for play in plays(state["position"]["tree"])}

    def loss(text: str) -> float:
        hint = ana.page.context.request.post(
            f"/api/v1/matches/{ana.match_id}/hint/",
            data={"play": text},
            headers={"X-CSRFToken": ana.token(), "Origin": ana.page.evaluate("location.origin")},
        )
        return float(hint.json()["judged"]["loss"])

    return max(sorted(texts), key=loss)


def test_a_guest_takes_a_blunder_back(site: Site, open_page: Open) -> None:
    ana = against_the_computer(open_page(reduced_motion="reduce"))
    ana.prefer(auto_forced=False)
    page = ana.sit()
    _, state = play_on([ana], until=lambda _, state: "move" in state["may"])
    ana.sees(state)
    take_back = page.locator(".match-help [data-do=take-back]")
    expect(take_back).to_be_disabled()
    page.keyboard.press("h")
    best = page.locator("[data-part=hint-best]")
    expect(best).to_contain_text("/", timeout=LONG)
    page.keyboard.press("Escape")

    typed_play(page).fill(worst_play(ana, state))
    page.keyboard.press("Enter")
    page.locator("[data-do=done]:enabled").click()
    offer = page.locator("[data-part=blunder]")
    expect(offer).to_contain_text(f"That was a blunder: {best.text_content()} is better by", timeout=LONG)
    expect(take_back).to_be_enabled()
    assert axe.sweep(page, within=".match-act") == []
    offer.locator("[data-do=keep-play]").click()
    expect(offer).to_be_hidden()

    page.locator("[data-part=headline]").click()
    page.keyboard.press("b")
    again = ana.reaches(lambda now: now["match"]["taken_back"] == 1)
    assert (again["position"]["dice"], again["position"]["board"]) == (
        state["position"]["dice"],
        state["position"]["board"],
    )
    ana.sees(again)
    spoken = page.locator("[role=status], [aria-live]").filter(has_text="takes back the last play")
    expect(spoken.first).to_be_attached()
    expect(take_back).to_be_disabled()
    ana.act("resign match")
    expect(page.locator(".match-help")).to_be_hidden()
