"""What two people at a table see of a restart of the site, of a lost network, and of too many windows."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.e2e.seats import Player, guest, play_together, waiting_for
from tests.e2e.table import AtTheTable
from tests.services.site import Site
from tests.services.web import Web, webs

pytestmark = [pytest.mark.browser, pytest.mark.slow]

Open = Callable[..., Any]
RESTARTS = "The site restarts; your match is safe."
LOST = "The connection is lost. Trying again…"
TOO_MANY = "The site is open in too many windows. This one rests."

#: Notes everything that is said of the line from now on.
LISTEN = """() => {
    const banner = document.querySelector("[data-part=link]");
    window.said = [];
    new MutationObserver(() => banner.hidden || window.said.push(banner.firstChild?.textContent ?? ""))
        .observe(banner, {attributes: true, childList: true, subtree: true});
}"""
SAID = "() => [...new Set(window.said)]"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A site of this module's own: it restarts."""
    with webs(tmp_path_factory.mktemp("lines")) as web:
        web.started()
        yield web


@pytest.fixture(scope="module")
def site(web: Web) -> Site:
    return web.site


def word(page: Any) -> Any:
    return page.locator("[data-part=link]")


def two_watched(browsers: Callable[[], Any], open_page: Open) -> list[Player]:
    ana, bea = guest(open_page("/", browser=browsers())), Player(open_page("/", browser=browsers()))
    play_together(ana, bea)
    for player in (ana, bea):
        player.sit().evaluate(LISTEN)
        word(player.page).wait_for(state="hidden")
    return [ana, bea]


def play(mover: Player, state: dict[str, Any]) -> None:
    """He rolls or plays by his page."""
    table = AtTheTable(mover.page)
    while mover.state()["version"] == state["version"]:
        if not table.step(wish=lambda buttons: "roll" if "roll" in buttons else None):
            mover.page.wait_for_timeout(30)


def somebody_plays(players: list[Player]) -> None:
    """One rolls or plays by his page, and both pages see it."""
    states = [player.state() for player in players]
    while not any({"roll", "move"} & set(state["may"]) for state in states):
        states = [player.state() for player in players]
    mover, state = next(
        (player, state) for player, state in zip(players, states, strict=True) if {"roll", "move"} & set(state["may"])
    )
    play(mover, state)
    for player in players:
        player.sees({"version": state["version"] + 1})


def test_a_restart_in_the_middle_of_a_match_is_a_short_notice_and_nothing_else(
    web: Web, browsers: Callable[[], Any], open_page: Open
) -> None:
    players = two_watched(browsers, open_page)
    somebody_plays(players)
    old = web.processes[-1]
    old.send_signal(signal.SIGTERM)
    for player in players:
        word(player.page).wait_for(state="visible")
        assert word(player.page).inner_text().strip() == RESTARTS
    assert old.wait(10) == 0
    web.started()
    for player in players:
        word(player.page).wait_for(state="hidden")
    somebody_plays(players)
    assert [player.page.evaluate(SAID) for player in players] == [[RESTARTS]] * 2


def test_a_lost_network_is_said_at_once_and_what_was_missed_comes_with_it_back(
    browsers: Callable[[], Any], open_page: Open
) -> None:
    players = two_watched(browsers, open_page)
    bea, state = waiting_for(players, "move")
    ana = next(player for player in players if player is not bea)
    ana.page.context.set_offline(True)
    word(ana.page).wait_for(state="visible")
    assert word(ana.page).inner_text().strip() == LOST
    assert word(ana.page).get_attribute("role") == "status"
    play(bea, state)
    ana.page.context.set_offline(False)
    word(ana.page).wait_for(state="hidden")
    ana.sees({"version": state["version"] + 1})
    somebody_plays(players)


def test_the_oldest_of_too_many_windows_rests_until_it_is_asked_for(
    browsers: Callable[[], Any], open_page: Open
) -> None:
    players = two_watched(browsers, open_page)
    ana = players[0]
    later = []
    for _ in range(4):  # each keeps two sockets: to the match and to the lobby
        later.append(ana.page.context.new_page())
        later[-1].goto(ana.page.url)
        later[-1].locator("html[data-lobby-socket=open]").wait_for()
    word(ana.page).get_by_text(TOO_MANY).wait_for()
    word(ana.page).get_by_role("button", name="Use this one").click()
    word(ana.page).wait_for(state="hidden")
    for page in later[1:]:
        page.close()
    somebody_plays(players)
