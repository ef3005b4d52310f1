"""From the lobby to a board: in one click, with somebody or, while nobody comes, with the computer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe, layout
from tests.e2e.seats import Player, guest
from tests.e2e.table import sign_up
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
PHONE = {"viewport": (360, 740), "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
BOARD = re.compile(r"/match/\w+/$")


def row_of(page: Any, name: str) -> Any:
    """The open game of a player in the lobby of another one."""
    return page.locator("#seeks .row", has_text=name)


def name_of(player: Player) -> str:
    return str(player.page.locator("body").get_attribute("data-player"))


def test_a_visitor_joins_an_open_game_with_one_click(site: Site, open_page: Open) -> None:
    ana = guest(open_page())
    ana.page.goto("/")
    ana.page.locator("[data-pair='1:none']").click()
    ana.page.locator(".row-own").wait_for()
    visitor = open_page("/")
    row_of(visitor, name_of(ana)).get_by_role("button").click()
    visitor.wait_for_url(BOARD)
    ana.page.wait_for_url(visitor.url)


def test_a_member_posts_with_one_click_and_is_joined_by_the_same_click_of_another(site: Site, open_page: Open) -> None:
    ana, bea = open_page(), open_page()
    for page, name in ((ana, "ana"), (bea, "bea")):
        sign_up(page, site.name(name))
        page.goto("/")
    ana.locator("[data-pair='7:blitz']").click()
    own = ana.locator(".row-own")
    own.locator(".elapsed", has_text="0:0").wait_for()
    assert "match to 7 points · Blitz · rated" in own.inner_text().replace("\xa0", " ")
    bea.locator("[data-pair='7:blitz']").click()
    bea.wait_for_url(BOARD)
    ana.wait_for_url(bea.url)
    ana.goto("/")
    assert "is-last" in str(ana.locator("[data-pair='7:blitz']").get_attribute("class"))


def test_a_lobby_whose_line_has_died_in_silence_connects_again(site: Site, open_page: Open) -> None:
    bea = guest(open_page())
    lines: list[Any] = []
    dead: list[Any] = []

    def relay(line: Any) -> None:
        """Pass on what both sides say; a dead line says nothing to the page."""
        lines.append(line)
        line.connect_to_server().on_message(lambda message: None if line in dead else line.send(message))

    bea.page.route_web_socket(re.compile("/ws/lobby/"), relay)
    bea.page.goto("/")
    bea.page.locator("html[data-lobby-socket=open]").wait_for()
    dead += lines
    ana = guest(open_page())
    ana.page.goto("/")
    ana.page.locator("[data-pair='1:none']").click()
    ana.page.locator(".row-own").wait_for()
    assert row_of(bea.page, name_of(ana)).count() == 0
    bea.page.evaluate("() => dispatchEvent(new Event('online'))")
    row_of(bea.page, name_of(ana)).wait_for()
    assert len(lines) == 2


def test_an_own_game_is_cancelled_where_it_waits(site: Site, open_page: Open) -> None:
    page = guest(open_page()).page
    page.goto("/")
    page.locator("[data-pair='5:none']").click()
    page.locator(".row-own").get_by_role("button", name="Cancel").click()
    page.locator(".row-own").wait_for(state="detached")


def test_the_computer_plays_until_somebody_joins(site: Site, open_page: Open) -> None:
    ana = guest(open_page())
    ana.page.goto("/")
    ana.page.locator("[data-pair='3:none']").click()
    ana.page.locator(".row-own").get_by_role("button", name="Play the computer while you wait").click()
    ana.page.wait_for_url(re.compile(r"\?waiting=\w+$"))
    ana.page.locator(".bd-grid button").first.wait_for(state="attached")
    waiting = ana.page.url.split("=")[1]
    name = name_of(ana)
    bea = open_page("/")
    row_of(bea, name).get_by_role("button").click()
    bea.wait_for_url(re.compile(f"/match/{waiting}/$"))
    ana.page.wait_for_url(re.compile(f"/match/{waiting}/$"))


def test_a_friend_joins_by_the_link_of_an_invitation(site: Site, open_page: Open) -> None:
    ana = guest(open_page())
    ana.page.goto("/")
    ana.page.get_by_role("button", name="Invite a friend").click()
    link = ana.page.locator(".invitation input").input_value()
    assert ana.page.locator(".invitation .qr").is_visible()
    friend = open_page("/")
    assert row_of(friend, name_of(ana)).count() == 0
    friend.goto(link)
    friend.get_by_role("button", name="Play as a guest").click()
    friend.locator(".bd-grid button").first.wait_for(state="attached")
    ana.page.wait_for_url(link)


@pytest.mark.parametrize("before", ["its scripts are late", "its theme was changed"])
def test_the_page_of_an_open_game_goes_to_the_board(site: Site, open_page: Open, before: str) -> None:
    """Also if the friend comes before the page listens, or after a form that a script has sent."""
    page, friend = guest(open_page()).page, open_page("/")
    page.goto("/")
    page.get_by_role("button", name="Invite a friend").click()
    link = page.locator(".invitation input").input_value()
    late: list[Any] = []
    if before == "its scripts are late":
        page.route("**/js/lobby*.js", lambda route: late.append(route))
        page.goto(link, wait_until="commit")
        page.locator("script[src*='/js/site']").wait_for(state="attached")
        page.evaluate("() => import(document.querySelector(`script[src*='/js/site']`).src).then(() => null)")
    else:
        page.goto(link)
        page.locator("#account-menu summary").first.click()
        page.locator("#account-menu button[value=dark]").click()
        page.locator("html[data-theme=dark]").wait_for(state="attached")
    friend.goto(link)
    friend.get_by_role("button", name="Play as a guest").click()
    friend.locator(".bd-grid button").first.wait_for(state="attached")
    for script in late:
        script.continue_()
    page.locator(".bd-grid button").first.wait_for(state="attached")


def test_a_phone_shows_open_games_first_and_the_page_is_accessible(site: Site, open_page: Open) -> None:
    ana = guest(open_page())
    ana.page.goto("/")
    ana.page.get_by_role("button", name="Invite a friend").click()
    ana.page.locator(".invitation .qr").wait_for()
    assert axe.sweep(ana.page) == []

    page = guest(open_page(**PHONE)).page
    page.goto("/")
    page.wait_for_load_state("networkidle")  # the lists come anew once its socket is open
    assert layout.below_the_fold(page, "#seeks h2") == []
    assert not layout.scrolls_sideways(page)
    assert layout.small_targets(page) == []
