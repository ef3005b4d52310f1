"""Printed sheets on which nothing is cut off, and the TV page, which updates itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
STAGE = """
from tests.tournaments.staging import staged
answer = staged({format!r}, {players}, online=0, **{more!r}).pk
"""
RESULT = """
from accounts.models import User
from tournaments import services
from tournaments.models import Tournament
made = Tournament.objects.get(pk={pk!r})
services.result_enter(tournament_id={pk!r}, user=made.created_by, key={key!r}, winner={winner}, points={points})
answer = True
"""
# The texts that overflow their element, and the sheets that are larger than their page.
CUT = """() => {
  const cut = [...document.querySelectorAll('.leaf :is(bdi, i, td, th, h2, h3)')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .filter((one) => getComputedStyle(one).overflow === 'hidden' || one.matches('.tree-round h3'))
    .map((one) => one.textContent);
  const [width, height] = PAPER.map((mm) => (mm * 96) / 25.4);
  const large = [...document.querySelectorAll('.leaf-tree')]
    .filter((one) => one.scrollWidth > width + 1 || one.getBoundingClientRect().height > height)
    .map((one) => one.innerText.slice(0, 40));
  return [cut, large];
}"""
PAPERS = {"A4": (277, 190), "Letter": (259.4, 195.9)}  # inside the margins, held sideways, in millimetres
PAGES = re.compile(rb"/Type\s*/Page\b")


def staged(site: Site, format_: str, players: int, **more: Any) -> str:
    return str(site.ask(STAGE.format(format=format_, players=players, more=more)))


@pytest.mark.parametrize(("paper_size", "inside"), PAPERS.items())
def test_32_players_with_a_progressive_consolation_on_three_pages(
    site: Site, open_page: Open, paper_size: str, inside: tuple[float, float]
) -> None:
    made = staged(site, "knockout", 32, consolation="progressive", played=0.6)
    width, height = (round(mm * 96 / 25.4) for mm in inside)
    page = open_page(f"/tournaments/{made}/print/", viewport=(width, height))
    page.emulate_media(media="print")
    assert page.evaluate(CUT.replace("PAPER", str(list(inside)))) == [[], []]
    assert page.locator(".leaf h2").all_inner_texts() == ["Main bracket", "Consolation 1/2", "Consolation 2/2"]
    assert page.locator(".leaf").first.locator(".tree-pairing").count() == 31
    file = page.pdf(format=paper_size, landscape=True)
    assert len(PAGES.findall(file)) == 3


@pytest.mark.parametrize(
    ("sheet", "format_", "shape", "pages"),
    [
        ("draw", "swiss", {"rounds": 5}, 2),
        ("draw", "groups", {"groups": 4}, 3),
        ("slips", "knockout", {}, 1),
        ("entrants", "knockout", {}, 1),
    ],
)
def test_every_sheet_prints_on_as_few_pages_as_needed(
    site: Site, open_page: Open, sheet: str, format_: str, shape: dict[str, Any], pages: int
) -> None:
    made = staged(site, format_, 16, **shape)
    page = open_page(f"/tournaments/{made}/print/?sheet={sheet}")
    assert len(PAGES.findall(page.pdf(prefer_css_page_size=True))) <= pages


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720)])
def test_the_tv_page_fits_without_scrolling_and_shows_a_new_result(
    site: Site, open_page: Open, size: tuple[int, int]
) -> None:
    made = staged(site, "knockout", 8)
    page = open_page(f"/tournaments/{made}/tv/", viewport=size, reduced_motion="reduce")
    page.locator(".screen-panel.is-shown").wait_for()
    root = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert page.evaluate(root) == list(size)
    foot = page.locator(".screen-foot").bounding_box()["y"]
    for panel in page.locator(".screen-panel").all():
        box = panel.bounding_box()
        assert box["y"] + box["height"] <= foot + 1
    assert page.locator("[data-panel=results]").count() == 0
    site.ask(RESULT.format(pk=made, key="main-1-1", winner=1, points=(7, 4)))
    page.locator("[data-panel=results]").wait_for(state="attached")
    assert page.locator("[data-panel=results] .is-winner b").text_content() == "7"


def test_the_tv_page_recovers_after_an_outage(site: Site, open_page: Open) -> None:
    made = staged(site, "knockout", 4)
    page = open_page(f"/tournaments/{made}/tv/")
    page.locator(".screen-panel.is-shown").wait_for()
    page.context.set_offline(True)
    site.ask(RESULT.format(pk=made, key="main-1-1", winner=1, points=(7, 4)))
    page.wait_for_timeout(2000)  # it receives nothing
    assert page.locator("[data-panel=results]").count() == 0
    page.context.set_offline(False)
    page.locator("[data-panel=results]").wait_for(state="attached")
