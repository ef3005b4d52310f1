"""Everything at the table can be done with the keyboard alone, and is said aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.keys import Keyboard
from tests.e2e.seats import BAR, Play, Player, play_on, plays, text_of, two_at_a_table, waiting_for
from tests.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

Open = Callable[..., Any]


def both(open_page: Open, **terms: Any) -> tuple[Player, Player, dict[Player, Keyboard]]:
    """Two at a table with their pages open: who moves first, the other, and their keyboards."""
    players = two_at_a_table(*(open_page(reduced_motion="reduce") for _ in range(2)), **terms)
    keys = {player: Keyboard(player.sit()) for player in players}
    mover, state = waiting_for(players, "move")
    for player in players:
        player.sees(state)
    return mover, players[1 - players.index(mover)], keys


def test_turns_are_played_with_arrows_as_text_and_in_writing(site: Site, open_page: Open) -> None:
    ana, bea, keys = both(open_page)
    hers, his = keys[ana], keys[bea]

    hers.tab_to(".bd-grid button")
    hers.walk_to("movable")
    hers.press("Enter")
    hers.heard("Picked up. Legal: Point")
    assert ana.page.locator(".bd-grid .picked").count() == 1
    hers.press("Escape")
    assert ana.page.locator(".bd-grid .picked").count() == 0
    hers.make_a_play()
    hers.heard("Done?")
    hers.push("[data-do=undo]")
    assert ana.page.locator("[data-do=done]").is_disabled()
    hers.make_a_play()
    hers.push("[data-do=done]")
    for one in (hers, his):
        one.heard(" plays ")

    his.push("[data-act=roll]")
    his.heard("Dice: ")
    _, state = waiting_for([bea], "move")
    his.tab_to("#typed-play")
    his.type("1/24")
    his.press("Enter")
    his.heard("The play 1/24 is not legal now.")
    wish = text_of(plays(state["position"]["tree"])[0])  # `8/5 6/5` when he threw 3 and 1
    his.type(wish)
    his.press("Enter")
    his.heard("Your play: ")
    his.press("Enter")
    hers.heard(" plays ")

    hers.push("[data-act=roll]")
    hers.heard("Dice: ")
    hers.push("[data-do=text]")
    assert ana.page.locator(".bd.text").count() == 1
    hers.make_a_play()
    hers.push("[data-do=done]")
    waiting_for([bea], "roll")


def test_the_cube_and_a_resignation_are_handled_with_keys(site: Site, open_page: Open) -> None:
    ana, bea, keys = both(open_page, length=5)
    hers, his = keys[ana], keys[bea]
    hers.make_a_play()
    hers.push("[data-do=done]")

    his.push("[data-act=double]")
    hers.heard("doubles.")
    hers.push("[data-act=take]")
    his.heard("takes.")
    his.make_a_play()
    his.push("[data-do=done]")
    hers.push("[data-act=double]")
    his.heard("doubles.")
    his.push("[data-act=drop]")
    hers.heard("drops.")
    hers.heard("You win 2 points.")

    for one in (hers, his):
        one.push("[data-do=next]")
    loser, state = waiting_for([ana, bea], "move")
    loser.sees(state)
    loses, wins = (hers, his) if loser is ana else (his, hers)
    loses.push("[data-do=resign]")
    loser.page.locator("dialog[open]").wait_for()
    loses.press("Escape")
    loser.page.locator("dialog[open]").wait_for(state="detached")
    loses.push("[data-do=resign]")
    loses.push("dialog[open] .match-levels button[value='resign 1']")
    loser.page.locator("[data-part=confirm-back]:focus").wait_for()
    loses.push("dialog[open] [data-part=confirm-yes]")
    wins.heard("offers to resign.")
    wins.push("[data-act=accept]")
    loses.heard("accepts the resignation.")


def test_a_spanish_player_writes_barra_20(site: Site, open_page: Open) -> None:
    ana, bea = two_at_a_table(open_page(locale="es-ES", reduced_motion="reduce"), open_page(), length=11, cube="")

    def entering(player: Player, state: dict[str, Any]) -> bool:
        tree = state["position"]["tree"]
        return player is ana and bool(tree) and tree[0][0][0] == BAR

    def with_blots(player: Player, state: dict[str, Any], whole: list[Play]) -> Play:
        """ana leaves as many men alone as she can; bea hits what she can."""
        if player is bea:
            return max(whole, key=lambda play: sum(half[3] for half in play))
        points = state["position"]["board"][state["you"]]["points"]

        def blots(play: Play) -> int:
            after = [0, *points, 0]
            for start, end, *_ in play:
                after[start] -= 1
                after[end] += 1
            return after[1:25].count(1)

        return max(whole, key=blots)

    _, state = play_on([ana, bea], until=entering, choose=with_blots)
    point = state["position"]["tree"][0][0][1]
    keys = Keyboard(ana.sit())
    keys.tab_to("#typed-play")
    keys.type(f"barra/{point}")
    keys.press("Enter")
    detail = ana.page.locator("[data-part=detail]", has_text=f"barra/{point}")
    detail.wait_for()
    assert ana.page.locator("[data-do=undo]").is_enabled()
