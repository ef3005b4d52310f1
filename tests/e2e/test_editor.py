"""A position is set up by hand: with the mouse, with the keyboard, from the trays, and from an id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:6"


class Editor:
    """The page of the editor, as a hand on it works."""

    def __init__(self, page: Any) -> None:
        self.page = page

    @property
    def xgid(self) -> str:
        return str(self.page.locator("[data-part=xgid]").inner_text())

    @property
    def men(self) -> str:
        return self.xgid.removeprefix("XGID=").split(":")[0]

    def place(self, name: str) -> Any:
        return self.page.locator(".bd-grid button", has_text=f"{name}:")

    def spot(self, name: str) -> tuple[float, float]:
        """Where the first man of a place stands: at the edge of the board."""
        box = self.place(name).bounding_box()
        middle = self.page.locator(".bd-play").bounding_box()
        below = box["y"] > middle["y"] + middle["height"] / 3
        return box["x"] + box["width"] / 2, box["y"] + (box["height"] - 14 if below else 14)

    def click(self, name: str) -> None:
        self.page.mouse.click(*self.spot(name))

    def drag(self, source: str, target: str) -> None:
        self.page.mouse.move(*self.spot(source))
        self.page.mouse.down()
        self.page.mouse.move(*self.spot(target), steps=6)
        self.page.mouse.up()


@pytest.fixture
def editor(open_page: Open) -> Editor:
    return Editor(open_page("/position/edit/"))


def test_men_are_dragged_and_tapped(editor: Editor) -> None:
    assert editor.xgid == START
    editor.drag("Point 8", "Point 5")
    assert editor.men == "-b---AE-B---eE---c-e----B-"
    editor.click("Point 6")
    editor.click("Point 5")
    assert editor.men == "-b---BD-B---eE---c-e----B-"
    editor.drag("Point 6", "Point 1")  # Black holds it
    assert editor.men == "-b---BD-B---eE---c-e----B-"
    editor.page.get_by_role("button", name="Undo").click()
    assert editor.men == "-b---AE-B---eE---c-e----B-"


def test_a_tray_gives_one_man_after_another(editor: Editor) -> None:
    editor.page.get_by_role("button", name="Empty the board").click()
    editor.click("Borne off by White")
    for point in (1, 2, 2, 3):
        editor.click(f"Point {point}")
    assert editor.men == "-ABA----------------------"


def test_the_keyboard_does_all_of_it(editor: Editor) -> None:
    press = editor.page.keyboard.press
    editor.place("Point 8").focus()
    press("Enter")
    for _ in range(2):
        press("ArrowRight")
    assert editor.page.evaluate("document.activeElement.textContent").startswith("White's bar")
    press("Enter")
    assert editor.men == "-b----E-B---eE---c-e----BA"
    press("Backspace")
    assert editor.men == "-b----E-B---eE---c-e----B-"
    editor.place("Point 4").focus()
    press("w")
    press("b")  # White holds it
    assert editor.men == "-b--A-E-B---eE---c-e----B-"


def test_dice_cube_and_score_are_chosen_and_named(editor: Editor) -> None:
    page = editor.page
    page.get_by_label("Dice", exact=True).select_option("61")
    page.get_by_label("Match to").fill("7")
    page.get_by_label("White has").fill("6")
    page.get_by_label("White has").press("Tab")
    page.get_by_label("Crawford game").check()
    assert editor.xgid == "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:6:0:1:7:6"
    page.locator("[data-part=gnubg]", has_text="4HPwATDgc/ABMA:sAHnAGAAAAAE").wait_for()
    assert axe.violations(page) == []


def test_an_id_is_brought_in_and_what_is_none_is_said(editor: Editor) -> None:
    page = editor.page
    page.get_by_label("Bring in an XGID").fill("4HPwATDgc/ABMA:MIGlAAAAAAAE")
    page.get_by_role("button", name="Show").click()
    page.locator("[data-part=xgid]", has_text=":31:0:0:0:5:6").wait_for()
    page.get_by_label("Bring in an XGID").fill("good morning")
    page.get_by_role("button", name="Show").click()
    page.locator("[data-part=wrong]", has_text="neither an XGID").wait_for()
    assert editor.xgid.endswith(":31:0:0:0:5:6")
