"""The lobby form on a slow server: choices made meanwhile are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.table import sign_up
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
ASKED = "**/play/terms/**"
CHOSEN = """() => Object.fromEntries([...new FormData(document.querySelector('.match-form'))]
    .filter(([name]) => ['variant', 'length', 'clock', 'cube'].includes(name)))"""


class SlowServer:
    """Holds back the responses about match terms until the test releases them."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.routes: list[Any] = []
        page.route(ASKED, self.keep)

    def keep(self, route: Any) -> None:
        self.routes.append(route)

    def wait_for_requests(self, times: int) -> None:
        """Wait until the page has sent so many requests."""
        for _ in range(100):
            if len(self.routes) >= times:
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(len(self.routes))

    def answer(self) -> None:
        """Release all responses, and wait until the last one is on the page."""
        self.page.evaluate("() => { document.getElementById('match-terms').dataset.before = 'yes' }")
        for route in self.routes:
            route.continue_()
        self.page.locator("#match-terms:not([data-before])").wait_for()


@pytest.fixture
def form(site: Site, open_page: Open) -> Any:
    """The lobby of a new member, with the form of a new match."""
    page = open_page(reduced_motion="reduce")
    sign_up(page, site.name("ana"))
    page.goto("/?custom")
    return page


def pick(page: Any, name: str, value: str) -> None:
    page.locator(".match-form label", has=page.locator(f"input[name={name}][value='{value}']")).click()


def test_a_clock_chosen_while_the_length_loads_is_kept(form: Any) -> None:
    slow = SlowServer(form)
    pick(form, "length", "7")
    slow.wait_for_requests(1)
    pick(form, "clock", "days3")
    form.get_by_label("Doubling cube").uncheck(force=True)
    slow.answer()
    assert form.evaluate(CHOSEN) == {"variant": "backgammon", "length": "7", "clock": "days3"}


def test_of_two_lengths_in_a_row_the_second_is_kept(form: Any) -> None:
    slow = SlowServer(form)
    pick(form, "length", "7")
    slow.wait_for_requests(1)
    pick(form, "length", "11")
    pick(form, "clock", "none")
    slow.wait_for_requests(2)
    slow.answer()
    assert form.evaluate(CHOSEN) == {"variant": "backgammon", "length": "11", "clock": "none", "cube": "on"}


def test_a_clock_that_the_new_game_lacks_is_replaced_by_its_default(form: Any) -> None:
    slow = SlowServer(form)
    form.locator(".match-form select[name=variant]").select_option("damas")
    slow.wait_for_requests(1)
    pick(form, "clock", "blitz")
    slow.answer()
    chosen = form.evaluate(CHOSEN)
    assert (chosen["variant"], chosen["clock"]) == ("damas", "min10")


def test_choices_made_before_the_scripts_load_count(form: Any) -> None:
    """The page is loaded, and its scripts are still loading over a slow connection."""
    held: list[Any] = []
    form.route("**/vendor/htmx*", lambda route: held.append(route))
    form.goto("/?custom", wait_until="commit")
    form.locator(".match-form select[name=variant]").select_option("damas", no_wait_after=True)
    form.evaluate("() => { document.getElementById('match-terms').dataset.before = 'yes' }")
    assert len(held) == 1
    held[0].continue_()
    form.locator("#match-terms:not([data-before])").wait_for()
    assert form.evaluate(CHOSEN)["variant"] == "damas"
    assert form.locator("#match-terms input[name=cube]").count() == 0
