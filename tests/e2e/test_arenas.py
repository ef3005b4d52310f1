"""An arena in two browsers: its players are taken to their boards, finish a match and are paired again (ruling E26)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e import axe
from tests.e2e.director import members, sign_in
from tests.e2e.seats import Player, waiting_for
from tests.e2e.table import resign_the_match
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.timeout(900)]

expect.set_options(timeout=60_000)  # a busy machine is ten times slower

Open = Callable[..., Any]
STAGED = """
from accounts.models import User
from tests.tournaments.staging import staged
players = tuple(User.objects.get(username=name) for name in {players!r})
answer = staged("arena", 2, people=players, drawn=False, minutes=60, clock="blitz", lengths=(3,), venue="online").pk
"""
START = """
from tournaments import services
from tournaments.models import Tournament
made = Tournament.objects.get(pk={tournament!r})
services.tournament_start(tournament_id=made.pk, user=made.created_by)
answer = None
"""


def match_after(page: Any, earlier: str = "") -> str:
    """Wait until the page of the arena has taken its player to a board, and return the id of the match."""
    # Players are paired some seconds after a match: ten times as many on a busy machine.
    page.wait_for_url(lambda url: match_in(url) not in ("", earlier), timeout=180_000)
    page.locator(".bd-grid button").first.wait_for(state="attached")
    return match_in(page.url)


def match_in(url: str) -> str:
    """The id of the match that a page is about, or nothing."""
    found = re.search(r"/match/(\w+)/$", url)
    return found[1] if found else ""


def row(page: Any, name: str) -> Any:
    return page.locator(".arena-table tbody tr", has_text=name)


def test_two_players_are_paired_play_and_are_paired_again(site: Site, open_page: Open) -> None:
    names = [site.name("ana"), site.name("bea")]
    sessions = members(site, *names)
    tournament = site.ask(STAGED.format(players=names))
    path = f"/tournaments/{tournament}/"
    players = [Player(open_page(reduced_motion="reduce")) for _name in names]
    for player, name in zip(players, names, strict=True):
        sign_in(player.page, sessions[name])
        player.page.goto(path)
        expect(player.page.locator("#mine-title")).to_have_text("You're entered")
    site.ask(START.format(tournament=tournament))
    for player in players:
        player.match_id = match_after(player.page)
    first = players[0].match_id
    assert players[1].match_id == first

    loser, state = waiting_for(players, "move")  # past the opening: nothing rolls by itself and closes the dialog
    loser.sees(state)
    resign_the_match(loser.page)
    winner = next(player for player in players if player is not loser)
    winner.page.locator("dialog[open] [data-part=result-title]").wait_for()
    for player in players:
        player.page.goto(path)
    for player in players:
        player.match_id = match_after(player.page, first)
    second = winner.match_id
    assert loser.match_id == second

    watcher = open_page(path, reduced_motion="reduce")
    for player, name in zip(players, names, strict=True):
        expect(row(watcher, name).locator(".arena-points")).to_have_text("2" if player is winner else "0")
        expect(row(watcher, name).locator(f"a[href='/match/{second}/']")).to_be_visible()
    assert axe.sweep(watcher, within="main") == []
