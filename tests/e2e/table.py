"""Play on a match page by clicking what it highlights."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import TimeoutError as TooLate

LOOK = """() => [
    [...document.querySelectorAll('.match-buttons button:not([hidden]):not(:disabled)')]
        .map(b => b.dataset.act ? `act=${b.dataset.act}` : `do=${b.dataset.do}`),
    [...document.querySelectorAll('.bd-grid button.movable')].map(b => {
        const box = b.getBoundingClientRect();
        const n = /\\d+/.exec(b.textContent);
        return [box.x + box.width / 2, box.y + box.height / 2, n ? Number(n[0]) : 99];
    }).sort((a, b) => b[2] - a[2])]"""
BUTTONS = ("accept", "take", "drop", "next", "double", "roll", "done")


def sign_up(page: Any, name: str) -> None:
    """Become a member through the form."""
    page.goto("/accounts/signup/")
    page.locator("#id_username").fill(name)
    page.locator("#id_password1").fill("nogal y fieltro")
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url(re.compile(r"^(?!.*/signup).*$"))


def challenge(page: Any, opponent: str, *, length: int, variant: str = "") -> None:
    """Challenge a player by name with the lobby's form."""
    page.goto("/?custom")
    page.locator(".match-form label", has=page.locator("input[value=player]")).click()
    page.locator("#id_name").fill(opponent)
    if variant:
        page.evaluate("() => { document.getElementById('match-terms').dataset.before = 'yes' }")
        page.locator(".match-form select[name=variant]").select_option(variant)
        page.locator("#match-terms:not([data-before])").wait_for()
    page.locator(".match-form label", has=page.locator(f"input[name=length][value='{length}']")).click()
    page.locator(".match-form button[type=submit]").click()


def typed_play(page: Any) -> Any:
    """The field for a play in notation, opened with its key if the page does not show it."""
    field = page.locator("#typed-play")
    if not field.is_visible():
        page.keyboard.press("/")
        field.wait_for()
    return field


def painted(page: Any) -> None:
    """Wait until the page shows what follows from a press: the board answers at once, its buttons a frame later."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))")


def resign_the_match(page: Any) -> None:
    """Resign on the match page of a player who may, and see the result."""
    page.locator("[data-do=resign]").click()
    page.locator("dialog[open] .match-levels button[value='resign match']").click()
    page.locator("dialog[open] [data-part=confirm-yes]").click()
    page.locator("dialog[open] [data-part=result-title]").wait_for()


class MatchPage:
    """The match page of one browser."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def look(self) -> tuple[dict[str, str], list[Any]]:
        """The buttons on the page now, {"roll": selector, ...}, and its movable places."""
        found, places = self.page.evaluate(LOOK)
        return {each.split("=")[1]: f".match-buttons [data-{each}]" for each in found}, places

    def movable_places(self) -> list[Any]:
        """The centre of each place whose top checker may move, the furthest from home first: [x, y, label]."""
        return self.look()[1]

    def press(self, name: str) -> None:
        self.page.locator(self.look()[0].get(name, f"[data-act={name}]")).click()

    def step(self, *, choose: Any) -> bool:
        """Do one thing that the page offers, if any; `choose(buttons)` may pick the button."""
        buttons, places = self.look()
        chosen = choose(buttons) or next((name for name in BUTTONS if name in buttons), None)
        if chosen in buttons:
            try:
                self.page.locator(buttons[chosen]).click(timeout=8000)
            except TooLate:
                return False  # the page moved on between the look and the click
            return True
        if places:
            x, y, _ = places[0]
            self.page.mouse.click(x, y)
            return True
        return False

    @property
    def over(self) -> bool:
        return bool(self.page.locator("dialog[open] [data-part=result-title]").count())


def play_to_the_end(tables: list[MatchPage], *, choose: Any, seconds: float) -> None:
    """Both click until both see the result. Raises AssertionError with what the pages show when time is up."""
    end = time.monotonic() + seconds
    while not all(table.over for table in tables):
        if time.monotonic() > end:
            raise AssertionError([table.page.locator("[data-part=headline]").inner_text() for table in tables])
        moved = [table.step(choose=choose) for table in tables if not table.over]
        if not any(moved):
            tables[0].page.wait_for_timeout(100)
