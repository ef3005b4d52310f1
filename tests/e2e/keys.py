"""A user with a keyboard and a screen reader."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from tests.e2e.table import painted

NOTE = """() => {
    window.said = [];
    window.heard = 0;
    const note = changes => changes.forEach(change => change.addedNodes.forEach(node => {
        if (node.nodeType === 1) window.said.push(node.textContent);
    }));
    new MutationObserver(note).observe(document.querySelector('.bd-say[aria-live=polite]'), {childList: true});
}"""
HEARD = """words => {
    const at = window.said.findIndex((each, n) => n >= window.heard && each.includes(words));
    if (at < 0) return false;
    window.heard = at + 1;
    return true;
}"""
PRESS_AT = """([words, key]) => {
    const said = document.querySelector('.bd-say[aria-live=polite]');
    new MutationObserver((_, watching) => {
        if (!said.textContent.includes(words)) return;
        watching.disconnect();
        document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    }).observe(said, {childList: true});
}"""
ROW_AND_COLUMN = """wanted => [...document.querySelectorAll('.bd-row')].flatMap((row, r) =>
    [...row.querySelectorAll('button')].map((button, c) => [button, r, c]))
    .filter(([button]) => wanted ? button.classList.contains(wanted) : button === document.activeElement)
    .map(([, r, c]) => [r, c])"""


class Keyboard:
    """Presses keys; never touches a pointer."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.evaluate(NOTE)

    def expect_announcement(self, words: str) -> None:
        """Wait until the live region announces this text, after the last announcement waited for."""
        try:
            self.page.wait_for_function(HEARD, arg=words)
        except Exception as error:
            announced, shown = self.page.evaluate("() => [window.said, document.querySelector('main').innerText]")
            raise AssertionError(f"{words!r} was not announced, but {announced}; the page shows {shown}") from error

    @property
    def transcript(self) -> list[str]:
        """Everything that the live region has announced, in its order."""
        said: list[str] = self.page.evaluate("() => window.said")
        return said

    def heard_nothing_twice(self) -> bool:
        """Whether no announcement was part of the one before it, and none has a sentence twice."""
        said = self.transcript
        in_each = [[sentence for sentence in re.split(r"(?<=[.!?]) ", each) if sentence] for each in said]
        return not any(b in a for a, b in pairwise(said)) and all(len(set(each)) == len(each) for each in in_each)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def press_at_announcement(self, words: str, key: str) -> None:
        """Have a key pressed at the moment when this text is announced, before the page is painted."""
        self.page.evaluate(PRESS_AT, [words, key])

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def tab_to(self, selector: str) -> None:
        """Press Tab until the element has the focus, and check that the focus is visible."""
        self.page.locator(f"{selector}:visible:enabled").first.wait_for(state="attached")
        for _ in range(60):
            if self.page.evaluate("where => document.activeElement.matches(where)", selector):
                break
            self.press("Tab")
        else:
            raise AssertionError(f"Tab never reaches {selector}")
        seen = "() => { const style = getComputedStyle(document.activeElement); return style.outlineStyle }"
        assert self.page.evaluate(seen) != "none"

    def push(self, selector: str) -> None:
        """Focus the button and press Enter."""
        self.tab_to(selector)
        self.press("Enter")

    def walk_to(self, kind: str) -> None:
        """From the focused point, walk with the arrows to the first point of this kind: movable, legal."""
        self.page.locator(f".bd-grid .{kind}").first.wait_for(state="attached")
        [(row, column)] = self.page.evaluate(ROW_AND_COLUMN, None)
        wanted = self.page.evaluate(ROW_AND_COLUMN, kind)
        there, across = wanted[0]
        self.press(*["ArrowDown" if there > row else "ArrowUp"] * abs(there - row))
        self.press(*["ArrowRight" if across > column else "ArrowLeft"] * abs(across - column))
        assert self.page.evaluate("kind => document.activeElement.classList.contains(kind)", kind)

    def make_a_play(self) -> None:
        """Move checkers with the arrow keys and Enter until the play is complete."""
        self.page.locator("[data-do=done]:visible").wait_for()
        self.tab_to(".bd-grid button")
        while True:
            self.page.locator(".bd-grid .movable, [data-do=done]:enabled").first.wait_for(state="attached")
            if self.page.locator("[data-do=done]").is_enabled():
                return
            self.walk_to("movable")
            self.press("Enter")
            self.walk_to("legal")
            self.press("Enter")
            painted(self.page)
