"""What two people at a table see of a restart of the site, of a lost network, of too many windows, of a rival who left.

Who closes his page is seen to be away: the other one claims the match, or adjourns it until both are back.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.e2e.seats import Player, guest, play_on, play_together, two_at_a_table, waiting_for
from tests.e2e.table import AtTheTable
from tests.services.site import Site
from tests.services.web import Web, webs

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

Open = Callable[..., Any]
RESTARTS = "The site restarts; your match is safe."
LOST = "The connection is lost. Trying again…"
TOO_MANY = "The site is open in too many windows. This one rests."
WAIT = {"ABSENCE_SECONDS": "14", "ABSENCE_GRACE_SECONDS": "0"}
"""How long one waits for a rival who is away, in place of two minutes; and a restart excuses nobody."""

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
    with webs(tmp_path_factory.mktemp("lines"), **WAIT) as web:
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


def at_the_table(open_page: Open) -> tuple[Player, Player]:
    """ana and bea, both with their pages open, in a match where it is bea's turn."""
    ana, bea = two_at_a_table(open_page("/"), open_page("/"))
    for player in (ana, bea):
        player.prefer(auto_roll=False, auto_forced=False)
    play_on([ana, bea], until=lambda _, state: state["position"]["turn"] == "black")
    for player in (ana, bea):
        player.sit()
    return ana, bea


def leave(bea: Player, ana: Player) -> None:
    """bea closes her page; ana's page says so."""
    ana.page.locator("[data-strip=them].present").wait_for()
    left = time.monotonic()
    bea.page.goto("about:blank")
    ana.page.locator("[data-strip=them] [data-part=presence]:not([hidden])").wait_for()
    ana.page.locator("[data-part=absence-text]", has_text="is away").wait_for()
    assert time.monotonic() - left < 15


@pytest.mark.timeout(300)
def test_who_closes_his_page_is_away_within_fifteen_seconds_and_loses_the_match_in_the_end(
    open_page: Open,
) -> None:
    ana, bea = at_the_table(open_page)
    leave(bea, ana)
    assert ana.page.locator("[data-ask=claim]").is_hidden()
    ana.page.locator("[data-ask=claim]").click()
    assert ana.page.evaluate("() => document.activeElement.dataset.part") == "confirm-back"
    ana.page.locator("dialog[open] [data-part=confirm-yes]").click()
    ana.page.locator("[data-part=result-title]").wait_for()
    assert ana.page.locator("[data-part=result-title]").inner_text() == "You win the match"
    assert "was away" in ana.page.locator("[data-part=result-text]").inner_text()
    assert ana.state()["match"]["result"] == {"winner": "white", "by": "absent"}


@pytest.mark.timeout(300)
def test_an_adjourned_match_goes_on_when_both_are_back(open_page: Open) -> None:
    ana, bea = at_the_table(open_page)
    leave(bea, ana)
    ana.page.locator("[data-ask=adjourn]").click()
    ana.page.locator("[data-part=headline]", has_text="Adjourned").wait_for()

    bea.page.goto("/")
    bea.page.locator("#adjourned button").click()
    bea.page.locator("[data-part=detail]", has_text="Waiting for your rival").wait_for()
    ana.page.locator("[data-part=detail]", has_text="wants to go on").wait_for()
    ana.page.locator("[data-ask=go-on]").click()
    bea.page.locator("[data-part=headline]", has_text="Your turn").wait_for()
    ana.page.locator("[data-strip=them].turn").wait_for()
    assert ana.state()["paused"] is None


@pytest.mark.timeout(300)
def test_who_comes_back_in_time_plays_on(open_page: Open) -> None:
    ana, bea = at_the_table(open_page)
    leave(bea, ana)
    bea.sit()
    ana.page.locator("[data-part=absence]").wait_for(state="hidden")
    ana.page.locator("[data-strip=them].present").wait_for()
