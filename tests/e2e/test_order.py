"""Roll for me, in two browsers: who has gone finds his dice thrown, and proved."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.seats import SEES, Player, plays, text_of, two_at_a_table
from tests.e2e.table import AtTheTable
from tests.e2e.test_dice import play, roll_first, rolls_of
from tests.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

Open = Callable[..., Any]


def wait_until_left(site: Site, player: Player, side: str) -> None:
    """Until the server has the element for the next roll of this side."""
    for _ in range(100):
        ((dice,),) = site.rows("select dice from games_match where id = ?", player.match_id)
        if (dice if isinstance(dice, dict) else json.loads(dice))[side]["left"]:
            return
        player.page.wait_for_timeout(100)
    raise AssertionError(dice)


@pytest.mark.timeout(300)
def test_the_site_rolls_for_who_has_gone(site: Site, browsers: Callable[[], Any], open_page: Open) -> None:
    one, other = (open_page("/", browser=browsers(), reduced_motion="reduce") for _ in range(2))
    players = two_at_a_table(one, other, length=5, clock="days3")
    pages = [player.sit() for player in players]
    tables = [AtTheTable(page) for page in pages]

    def moving(player: Player) -> bool:
        state = player.state()
        return state["position"]["phase"] == "move" and state["position"]["turn"] == state["you"]

    play(tables, until=lambda: any(moving(player) for player in players), wish=roll_first)
    here, gone = sorted(players, key=moving, reverse=True)
    box = gone.page.get_by_label("Roll for me each turn")
    assert not box.is_checked()
    box.check(force=True)
    gone.page.get_by_label("Also when I could double").check(force=True)
    side = gone.state()["you"]
    wait_until_left(site, gone, side)
    gone.page.locator("[data-part=order-help]", has_text="Ready").wait_for()
    ordered = gone.state()["dice"][side]
    assert (ordered["order"], ordered["unless_double"]) == (True, False)
    assert "order" not in here.state()["dice"][side]
    assert axe.sweep(gone.page) == []
    gone.page.goto("/rules/")

    rolls = rolls_of(site, here)
    state = here.state()
    here.act(text_of(plays(state["position"]["tree"])[0]))
    assert rolls_of(site, here) == rolls + 1
    here.page.wait_for_function(SEES, arg=state["version"] + 3)

    back = gone.sit()
    assert back.get_by_label("Roll for me each turn").is_checked()
    assert back.get_by_label("Also when I could double").is_checked()
    back.locator("[data-part=dice-lock][data-kind=good]", has_text=f"{rolls + 1} rolls, all checked").wait_for()
