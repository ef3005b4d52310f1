"""Automatic rolls in two browsers: an absent player finds their dice rolled and verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.seats import SEES, Player, plays, text_of, two_in_a_match
from tests.e2e.table import MatchPage
from tests.e2e.test_dice import play, roll_first, rolls_of
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]


def wait_until_left(site: Site, player: Player, side: str) -> None:
    """Wait until the server has the commitment for the next roll of this side."""
    for _ in range(100):
        ((dice,),) = site.rows("select dice from games_match where id = ?", player.match_id)
        if (dice if isinstance(dice, dict) else json.loads(dice))[side]["left"]:
            return
        player.page.wait_for_timeout(100)
    raise AssertionError(dice)


@pytest.mark.timeout(300)
def test_the_site_rolls_for_an_absent_player(site: Site, open_page: Open) -> None:
    first, second = (open_page(reduced_motion="reduce") for _ in range(2))
    players = two_in_a_match(first, second, length=5, clock="days3")
    pages = [player.sit() for player in players]
    tables = [MatchPage(page) for page in pages]

    def moving(player: Player) -> bool:
        state = player.state()
        return state["position"]["phase"] == "move" and state["position"]["turn"] == state["you"]

    play(tables, until=lambda: any(moving(player) for player in players), choose=roll_first)
    here, absent = sorted(players, key=moving, reverse=True)
    box = absent.page.get_by_label("Roll automatically every turn")
    assert not box.is_checked()
    box.check(force=True)
    absent.page.get_by_label("Even when I could double").check(force=True)
    side = absent.state()["you"]
    wait_until_left(site, absent, side)
    absent.page.locator("[data-part=order-help]", has_text="Ready").wait_for()
    ordered = absent.state()["dice"][side]
    assert (ordered["order"], ordered["unless_double"]) == (True, False)
    assert "order" not in here.state()["dice"][side]
    assert axe.sweep(absent.page, within="[data-part=orders]") == []
    absent.page.goto("/rules/")

    rolls = rolls_of(site, here)
    state = here.state()
    here.act(text_of(plays(state["position"]["tree"])[0]))
    assert rolls_of(site, here) == rolls + 1
    here.page.wait_for_function(SEES, arg=state["version"] + 3)

    back = absent.sit()
    assert back.get_by_label("Roll automatically every turn").is_checked()
    assert back.get_by_label("Even when I could double").is_checked()
    back.locator("[data-part=dice-summary]", has_text=f"{rolls + 1} rolls verified").wait_for(state="attached")
