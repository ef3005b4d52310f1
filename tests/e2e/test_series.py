"""A series in browsers: after a match the next one of the series opens, and everybody sees the score (ruling E24)."""

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
from tournaments import services
from tournaments.models import Official
made = staged("knockout", 2, people=tuple(User.objects.get(username=name) for name in {players!r}), best_of=3,
              clock="none", lengths=(3,), seeding="hand", venue="online")
Official.objects.get_or_create(tournament=made, user=User.objects.get(username={director!r}), role="director")
answer = made.pk
"""


def arrive(player: Player) -> None:
    """Go to the board, as the page of the tournament offers."""
    player.page.locator("#mine a[href*='/match/'], #mine form[action$='/arrive/'] button").first.click()
    player.page.wait_for_url(re.compile(r"/match/\w+/$"))
    player.match_id = player.page.url.split("/")[-2]


def test_the_next_match_of_a_series_opens_when_one_is_over(site: Site, open_page: Open) -> None:
    ana, bea, director = (site.name(name) for name in ("ana", "bea", "dora"))
    sessions = members(site, ana, bea, director)
    path = f"/tournaments/{site.ask(STAGED.format(players=[ana, bea], director=director))}/"
    desk = open_page(reduced_motion="reduce")
    sign_in(desk, sessions[director])
    desk.goto(f"{path}desk/")
    expect(desk.locator("#row-main-1-1_1")).to_be_visible()
    players = [Player(open_page(reduced_motion="reduce")) for _name in (ana, bea)]
    for player, name in zip(players, (ana, bea), strict=True):
        sign_in(player.page, sessions[name])
        player.page.goto(path)
        expect(player.page.locator("#mine")).to_contain_text("Best of 3: 0–0, match 1")
        arrive(player)
    first = players[0].match_id
    assert players[1].match_id == first
    for player in players:
        player.page.locator(".bd-grid button").first.wait_for(state="attached")
    loser, state = waiting_for(players, "move")  # past the opening: nothing rolls by itself and closes the dialog
    loser.sees(state)
    resign_the_match(loser.page)

    score = "0–1" if loser is players[0] else "1–0"
    expect(desk.locator("#row-main-1-1_2 .desk-state")).to_contain_text(f"series {score}")  # without a reload
    expect(desk.locator("#row-main-1-1_1")).to_have_count(0)
    for player in players:
        player.page.goto(path)
        own = "0–1" if player is loser else "1–0"
        expect(player.page.locator("#mine")).to_contain_text(f"Best of 3: {own}, match 2")
    page = players[0].page
    expect(page.locator(".bracket .series-matches li")).to_have_count(2)
    expect(page.locator(".bracket .side-points")).to_have_text(score.split("–"))
    assert axe.sweep(page, within="main") == []
    for player in players:
        arrive(player)
    assert players[0].match_id == players[1].match_id != first
