"""A ladder in browsers: a challenge is accepted, played on the board, shown in the log, and undone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.director import members, sign_in
from tests.e2e.layout import scrolls_sideways
from tests.e2e.seats import PATIENCE, Player, play_on
from tests.e2e.table import MatchPage
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]

MAKE_DIRECTOR = """
from accounts.models import Club, Membership, User
club = Club.objects.get(is_default=True)
row = {{"user": User.objects.get(username={name!r}), "role": "director"}}
answer = Membership.objects.create(club=club, **row).pk
"""
CLICKS = 6  # plays made with the pointer before a player resigns


def set_up(dora: Any, name: str) -> str:
    """dora creates a ladder with the form; return the path of its page."""
    dora.goto("/ladders/")
    dora.locator("main a[href$='/ladders/new/']").first.click()
    dora.locator("#id_name").fill(name)
    with dora.expect_response(lambda answer: "/ladders/new/game/" in answer.url):
        dora.locator("#id_variant").select_option("hypergammon")
    terms = dora.locator("#ladder-terms:not(.htmx-request)")
    terms.locator("input[name=length]").fill("1")
    terms.locator("label", has=dora.locator("input[name=clock][value=none]")).click()
    dora.locator(".tournament-form button[type=submit]").click()
    dora.wait_for_url(re.compile(r"/ladders/(?!new)\w+/$"))
    return str(re.sub(r".*(/ladders/\w+/)", r"\1", dora.url))


def finish_on_the_board(players: list[Player]) -> None:
    """Click what the pages offer, until the player to move resigns."""
    tables, clicks, end = [MatchPage(player.page) for player in players], 0, time.monotonic() + PATIENCE
    while clicks < CLICKS:
        assert time.monotonic() < end, players[0].state()
        moved = [table.step(choose=lambda buttons: None) for table in tables]
        clicks += sum(moved)
        if not any(moved):
            players[0].page.wait_for_timeout(100)
    loser, _ = play_on(players, until=lambda _, state: "move" in state["may"])
    loser.act("resign match")


def test_a_ladder_challenge_is_played_on_the_board_and_reverted(site: Site, open_page: Open) -> None:
    names = [site.name(name) for name in ("ana", "bea", "dora")]
    ana, bea, director = names
    sessions = members(site, *names)
    site.ask(MAKE_DIRECTOR.format(name=director))
    pages = {name: open_page(reduced_motion="reduce") for name in names}
    for name, page in pages.items():
        sign_in(page, sessions[name])
    path = set_up(pages[director], site.name("Thursdays"))

    for name in (ana, bea):
        pages[name].goto(path)
        pages[name].locator("#join").click()
        pages[name].locator("#leave-box").wait_for()
    assert axe.sweep(pages[bea]) == []
    pages[bea].locator("#away-days").evaluate("field => { field.style.color = 'inherit' }")

    pages[ana].goto("/rules/")  # the notification reaches every page
    pages[bea].get_by_role("button", name=f"Challenge {ana}").click()
    pages[bea].locator("#mine", has_text="time to answer").wait_for()
    pages[ana].locator(".toast a").click()
    pages[ana].wait_for_url(re.compile(path))
    pages[ana].locator("#mine form[action$='/accept/'] button").click()
    for name in (ana, bea):  # without a reload
        pages[name].locator("#mine form[action$='/arrive/'] button").click()
        pages[name].wait_for_url(re.compile(r"/match/\w+/$"))

    players = [Player(pages[name]) for name in (ana, bea)]
    match_id = pages[bea].url.rstrip("/").rsplit("/", 1)[1]
    for player in players:
        player.match_id = match_id
        player.page.locator(".bd-grid button").first.wait_for(state="attached")
    assert pages[bea].locator(f"a[href='{path}']").count() > 0
    watching = open_page(path)  # a visitor, who stays on the ladder
    dora = pages[director]
    dora.goto(path)
    finish_on_the_board(players)
    state = players[0].state()
    champion = state["match"]["players"][state["match"]["result"]["winner"]]["name"]
    loser = ({ana, bea} - {champion}).pop()

    for page in (watching, dora):  # without a reload
        page.locator("#story", has_text=f"{champion} ").locator("text=/ beat /").first.wait_for()
        assert page.locator(".rung .rung-name bdi").all_inner_texts() == [champion, loser]
    for name in (ana, bea):
        pages[name].goto(path)
    assert axe.sweep(dora) == []

    event = dora.locator("#story details[id^=again-]").first
    event.locator("summary").click()
    event.locator("input[name=reason]").fill("played on the wrong board")
    event.locator("button").click()
    dora.locator("#story", has_text="(played on the wrong board)").wait_for()
    for page in (watching, dora, pages[ana], pages[bea]):
        page.locator("#story", has_text="(played on the wrong board)").wait_for()
        assert page.locator(".rung .rung-name bdi").all_inner_texts() == [ana, bea]
        page.set_viewport_size({"width": 360, "height": 740})
        assert not scrolls_sideways(page)
