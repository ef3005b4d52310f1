"""Live matches during a restart of the site, a lost network, too many windows, and the absence of the opponent.

A player who closes the page is shown as away: the opponent claims the match, or adjourns it until both are back.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TooLate

from tests.e2e.seats import Player, guest, play_on, play_together, two_in_a_match, waiting_for
from tests.e2e.table import MatchPage
from tests.services.web_processes import Web, webs
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
RESTARTS = "The site is restarting. Your match is safe."
LOST = "Connection lost. Reconnecting…"
TOO_MANY = "The site is open in too many windows. This one is paused."
PONG = 10_000  # ms in which a page hears of the server again
WAIT = {"ABSENCE_SECONDS": "14", "ABSENCE_GRACE_SECONDS": "0"}
"""The waiting time for an absent opponent, in place of two minutes, without a grace period after a restart."""

#: Record every text of the connection banner from now on.
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
    with webs(tmp_path_factory.mktemp("connections"), **WAIT) as web:
        web.started()
        yield web


@pytest.fixture(scope="module")
def site(web: Web) -> Site:
    return web.site


def banner_of(page: Any) -> Any:
    return page.locator("[data-part=link]")


def two_players(open_page: Open) -> list[Player]:
    ana, bea = guest(open_page()), Player(open_page())
    play_together(ana, bea)
    for player in (ana, bea):
        player.sit().evaluate(LISTEN)
        banner_of(player.page).wait_for(state="hidden")
    return [ana, bea]


def play(mover: Player, state: dict[str, Any]) -> None:
    """Roll or play on the page."""
    table = MatchPage(mover.page)
    while mover.state()["version"] == state["version"]:
        if not table.step(choose=lambda buttons: "roll" if "roll" in buttons else None):
            mover.page.wait_for_timeout(100)


def somebody_plays(players: list[Player]) -> None:
    """One player rolls or plays on the page, and both pages show it."""
    states = [player.state() for player in players]
    while not any({"roll", "move"} & set(state["may"]) for state in states):
        states = [player.state() for player in players]
    mover, state = next(
        (player, state) for player, state in zip(players, states, strict=True) if {"roll", "move"} & set(state["may"])
    )
    play(mover, state)
    for player in players:
        player.sees({"version": state["version"] + 1})


def test_a_restart_during_a_match_shows_only_a_short_message(web: Web, open_page: Open) -> None:
    players = two_players(open_page)
    somebody_plays(players)
    old = web.processes[-1]
    old.send_signal(signal.SIGTERM)
    for player in players:
        banner_of(player.page).wait_for(state="visible")
        assert banner_of(player.page).inner_text().strip() == RESTARTS
    assert old.wait(60) == 0
    web.started()
    for player in players:
        banner_of(player.page).wait_for(state="hidden")
    somebody_plays(players)
    assert [player.page.evaluate(SAID) for player in players] == [[RESTARTS]] * 2


def test_a_lost_network_is_shown_at_once_and_missed_events_arrive_on_reconnection(open_page: Open) -> None:
    players = two_players(open_page)
    bea, state = waiting_for(players, "move")
    ana = next(player for player in players if player is not bea)
    ana.page.context.set_offline(True)
    banner_of(ana.page).wait_for(state="visible")
    assert banner_of(ana.page).inner_text().strip() == LOST
    assert banner_of(ana.page).get_attribute("role") == "status"
    play(bea, state)
    ana.page.context.set_offline(False)
    banner_of(ana.page).wait_for(state="hidden")
    ana.sees({"version": state["version"] + 1})
    somebody_plays(players)


def test_the_oldest_of_too_many_windows_is_paused_until_it_is_used(open_page: Open) -> None:
    players = two_players(open_page)
    ana = players[0]
    later = []
    for _ in range(4):  # each keeps two sockets: to the match and to the lobby
        later.append(ana.page.context.new_page())
        later[-1].goto(ana.page.url)
        later[-1].locator("html[data-lobby-socket=open]").wait_for()
    banner_of(ana.page).get_by_text(TOO_MANY).wait_for()
    banner_of(ana.page).get_by_role("button", name="Use this window").click()
    banner_of(ana.page).wait_for(state="hidden")
    for page in later[1:]:
        page.close()
    somebody_plays(players)


def both_present(open_page: Open) -> tuple[Player, Player]:
    """ana and bea, both with their pages open, in a match where it is bea's turn."""
    ana, bea = two_in_a_match(open_page(), open_page())
    for player in (ana, bea):
        player.prefer(auto_roll=False, auto_forced=False)
    play_on([ana, bea], until=lambda _, state: state["position"]["turn"] == "black")
    for player in (ana, bea):
        player.sit()
    return ana, bea


def leave(bea: Player, ana: Player) -> None:
    """bea closes her page, and ana's page shows it."""
    ana.page.locator("[data-strip=them].present").wait_for()
    left = time.monotonic()
    bea.page.goto("about:blank")
    ana.page.locator("[data-strip=them] [data-part=presence]:not([hidden])").wait_for()
    ana.page.locator("[data-part=absence-text]", has_text="is away").wait_for()
    assert time.monotonic() - left < 45  # 15 s, and what a busy machine adds


def press_until(done: Any, press: Callable[[], None]) -> None:
    """Press until it is done: the server may have heard of bea later than ana's page knows, and refuses at first."""
    for _ in range(6):
        with suppress(TooLate):
            press()
            done.wait_for(timeout=PONG)
        if done.is_visible():
            return
    raise AssertionError("the server never agreed")


@pytest.mark.timeout(300)
def test_a_player_who_closes_the_page_is_away_within_fifteen_seconds_and_can_lose(
    open_page: Open,
) -> None:
    ana, bea = both_present(open_page)
    leave(bea, ana)
    ana.page.locator("[data-ask=claim]").click()  # tests/js/absence.test.js says when it appears
    assert ana.page.evaluate("() => document.activeElement.dataset.part") == "confirm-back"
    ana.page.locator("dialog[open] [data-part=confirm-back]").click()

    def claim() -> None:
        ana.page.locator("[data-ask=claim]").click(timeout=PONG)
        ana.page.locator("dialog[open] [data-part=confirm-yes]").click(timeout=PONG)

    press_until(ana.page.locator("[data-part=result-title]"), claim)
    assert ana.page.locator("[data-part=result-title]").inner_text() == "You won"
    assert "was away" in ana.page.locator("[data-part=result-text]").inner_text()
    assert ana.state()["match"]["result"] == {"winner": "white", "by": "absent"}


@pytest.mark.timeout(300)
def test_a_player_who_returns_in_time_plays_on_and_an_adjourned_match_resumes_when_both_are_back(
    open_page: Open,
) -> None:
    ana, bea = both_present(open_page)
    leave(bea, ana)
    bea.sit()
    ana.page.locator("[data-part=absence]").wait_for(state="hidden")
    ana.page.locator("[data-strip=them].present").wait_for()

    leave(bea, ana)
    adjourn = ana.page.locator("[data-ask=adjourn]")
    adjourn.wait_for()
    press_until(ana.page.locator("[data-part=headline]", has_text="Adjourned"), lambda: adjourn.click(timeout=PONG))

    bea.page.goto("/")
    bea.page.locator("#adjourned button").click()
    bea.page.locator("[data-part=detail]", has_text="Your opponent has been notified").wait_for()
    ana.page.locator("[data-part=detail]", has_text="wants to resume").wait_for()
    ana.page.locator("[data-ask=go-on]").click()
    bea.page.locator("[data-part=headline]", has_text="Your turn").wait_for()
    ana.page.locator("[data-strip=them].turn").wait_for()
    assert ana.state()["paused"] is None
