"""The position editor: with the mouse, with the keyboard, from the trays, and from an id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:6"


class Editor:
    """The editor page."""

    def __init__(self, page: Any) -> None:
        self.page = page

    @property
    def xgid(self) -> str:
        return str(self.page.locator("[data-part=xgid]").inner_text())

    @property
    def checkers(self) -> str:
        return self.xgid.removeprefix("XGID=").split(":")[0]

    def place(self, name: str) -> Any:
        return self.page.locator(".bd-grid button", has_text=f"{name}:")

    def spot(self, name: str) -> tuple[float, float]:
        """The position of the first checker of a place, at the edge of the board."""
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


def test_checkers_are_dragged_and_tapped(editor: Editor) -> None:
    assert editor.xgid == START
    editor.drag("Point 8", "Point 5")
    assert editor.checkers == "-b---AE-B---eE---c-e----B-"
    editor.click("Point 6")
    editor.click("Point 5")
    assert editor.checkers == "-b---BD-B---eE---c-e----B-"
    editor.drag("Point 6", "Point 1")  # a black point
    assert editor.checkers == "-b---BD-B---eE---c-e----B-"
    editor.page.get_by_role("button", name="Undo").click()
    assert editor.checkers == "-b---AE-B---eE---c-e----B-"


def test_a_tray_gives_one_checker_after_another(editor: Editor) -> None:
    editor.page.get_by_role("button", name="Clear board").click()
    editor.click("Borne off by White")
    for point in (1, 2, 2, 3):
        editor.click(f"Point {point}")
    assert editor.checkers == "-ABA----------------------"


def test_the_editor_works_with_the_keyboard(editor: Editor) -> None:
    press = editor.page.keyboard.press
    editor.place("Point 8").focus()
    press("Enter")
    for _ in range(2):
        press("ArrowRight")
    assert editor.page.evaluate("document.activeElement.textContent").startswith("White's bar")
    press("Enter")
    assert editor.checkers == "-b----E-B---eE---c-e----BA"
    press("Backspace")
    assert editor.checkers == "-b----E-B---eE---c-e----B-"
    editor.place("Point 4").focus()
    press("w")
    press("b")  # a white point
    assert editor.checkers == "-b--A-E-B---eE---c-e----B-"


def test_dice_cube_and_score_are_part_of_the_xgid(editor: Editor) -> None:
    page = editor.page
    page.get_by_label("Dice", exact=True).select_option("61")
    page.get_by_label("Match to").fill("7")
    page.get_by_label("White's score").fill("6")
    page.get_by_label("White's score").press("Tab")
    page.get_by_label("Crawford game").check()
    assert editor.xgid == "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:6:0:1:7:6"
    page.locator("[data-part=gnubg]", has_text="4HPwATDgc/ABMA:sAHnAGAAAAAE").wait_for()
    assert axe.violations(page) == []


def test_an_id_is_imported_and_an_invalid_one_is_refused(editor: Editor) -> None:
    page = editor.page
    page.get_by_label("Import an XGID").fill("4HPwATDgc/ABMA:MIGlAAAAAAAE")
    page.get_by_role("button", name="Show").click()
    page.locator("[data-part=xgid]", has_text=":31:0:0:0:5:6").wait_for()
    page.get_by_label("Import an XGID").fill("good morning")
    page.get_by_role("button", name="Show").click()
    page.locator("[data-part=wrong]", has_text="Enter an XGID").wait_for()
    assert editor.xgid.endswith(":31:0:0:0:5:6")
