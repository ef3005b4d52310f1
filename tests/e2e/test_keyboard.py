"""A match can be played with the keyboard alone, and everything is announced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.keys import Keyboard
from tests.e2e.seats import BAR, Play, Player, play_on, play_without_a_hit, text_of, two_in_a_match, waiting_for
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]


def both(open_page: Open, **terms: Any) -> tuple[Player, Player, dict[Player, Keyboard]]:
    """Two players with open pages: the one who moves first, the other, and their keyboards."""
    players = two_in_a_match(*(open_page(reduced_motion="reduce") for _ in range(2)), **terms)
    keys = {player: Keyboard(player.sit()) for player in players}
    mover, state = waiting_for(players, "move")
    for player in players:
        player.sees(state)
    return mover, players[1 - players.index(mover)], keys


def test_turns_are_played_with_arrow_keys_in_the_text_view_and_by_typing(site: Site, open_page: Open) -> None:
    ana, bea, keys = both(open_page)
    ana_keys, bea_keys = keys[ana], keys[bea]

    ana_keys.tab_to(".bd-grid button")
    ana_keys.walk_to("movable")
    ana_keys.press("Enter")
    ana_keys.expect_announcement("Picked up. Can move to: Point")
    assert ana.page.locator(".bd-grid .picked").count() == 1
    ana_keys.press("Escape")
    assert ana.page.locator(".bd-grid .picked").count() == 0
    ana_keys.make_a_play()
    ana_keys.expect_announcement("Press Done to confirm")
    ana_keys.push("[data-do=undo]")
    ana.page.locator("[data-do=done]:disabled").wait_for(state="attached")
    ana_keys.make_a_play()
    ana_keys.push("[data-do=done]")
    for keyboard in (ana_keys, bea_keys):
        keyboard.expect_announcement(" plays ")

    bea_keys.push("[data-act=roll]")
    bea_keys.expect_announcement("Dice: ")
    _, state = waiting_for([bea], "move")
    bea_keys.press("/")
    bea.page.locator("#typed-play:focus").wait_for()
    bea_keys.type("1/24")
    bea_keys.press("Enter")
    bea_keys.expect_announcement("1/24 isn't a legal play now.")
    typed = text_of(play_without_a_hit(state["position"]["tree"]))  # such as `8/5 6/5` for a 3-1
    bea_keys.type(typed)
    bea_keys.press("Enter")
    bea_keys.expect_announcement("Your play: ")
    bea_keys.press("Enter")
    ana_keys.expect_announcement(" plays ")

    ana_keys.push("[data-act=roll]")
    ana_keys.expect_announcement("Dice: ")
    ana_keys.push("[data-do=text]")
    assert ana.page.locator(".bd.text").count() == 1
    assert ana.page.locator("#typed-play").is_visible()
    ana_keys.make_a_play()
    ana_keys.push("[data-do=done]")
    waiting_for([bea], "roll")


def test_single_keys_roll_undo_and_finish_and_only_lead_to_the_cube(site: Site, open_page: Open) -> None:
    ana, bea, keys = both(open_page, length=5)
    ana_keys, bea_keys = keys[ana], keys[bea]
    ana_keys.make_a_play()
    ana_keys.press("u")
    ana.page.locator("[data-do=done]:disabled").wait_for(state="attached")
    ana_keys.make_a_play()
    ana_keys.press("e")
    bea_keys.expect_announcement(" plays ")

    bea_keys.press("d")
    bea.page.locator("[data-act=double]:focus").wait_for()
    bea_keys.press("?")
    bea.page.locator("[data-part=keys-dialog][open]").wait_for()
    bea.page.locator("[data-part=keys-on]").set_checked(False, force=True)
    bea_keys.press("Escape", "r")
    assert "roll" in bea.state()["may"]
    bea.page.locator("[data-do=keys]").click()
    bea.page.locator("[data-part=keys-on]").set_checked(True, force=True)
    bea_keys.press("Escape", "r")
    bea_keys.expect_announcement("Dice: ")


def test_a_key_counts_from_the_announcement_on_though_the_buttons_are_not_painted_yet(open_page: Open) -> None:
    ana, bea, keys = both(open_page, length=5)
    keys[bea].press_at_announcement(" plays ", "d")
    keys[ana].make_a_play()
    keys[ana].push("[data-do=done]")
    bea.page.locator("[data-act=double]:focus").wait_for()


def test_the_dice_end_the_turn_once_the_play_is_complete(site: Site, open_page: Open) -> None:
    ana, bea, keys = both(open_page)
    assert ana.page.locator(".finishing").count() == 0
    keys[ana].make_a_play()
    ana.page.locator(".bd-dice .finishing").first.click()
    waiting_for([bea], "roll")


def test_the_cube_and_a_resignation_work_with_the_keyboard(site: Site, open_page: Open) -> None:
    ana, bea, keys = both(open_page, length=5)
    ana_keys, bea_keys = keys[ana], keys[bea]
    ana_keys.make_a_play()
    ana_keys.push("[data-do=done]")

    bea_keys.push("[data-act=double]")
    ana_keys.expect_announcement("doubles.")
    ana_keys.push("[data-act=take]")
    bea_keys.expect_announcement("takes.")
    bea_keys.make_a_play()
    bea_keys.push("[data-do=done]")
    ana_keys.push("[data-act=double]")
    bea_keys.expect_announcement("doubles.")
    bea_keys.push("[data-act=drop]")
    ana_keys.expect_announcement("drops.")
    ana_keys.expect_announcement("You win 2 points.")

    for keyboard in (ana_keys, bea_keys):
        keyboard.push("[data-do=next]")
    loser, state = waiting_for([ana, bea], "move")
    loser.sees(state)
    loses, wins = (ana_keys, bea_keys) if loser is ana else (bea_keys, ana_keys)
    loses.push("[data-do=resign]")
    loser.page.locator("dialog[open]").wait_for()
    loses.press("Escape")
    loser.page.locator("dialog[open]").wait_for(state="detached")
    loses.push("[data-do=resign]")
    loses.push("dialog[open] .match-levels button[value='resign 1']")
    loser.page.locator("[data-part=confirm-back]:focus").wait_for()
    loses.push("dialog[open] [data-part=confirm-yes]")
    wins.expect_announcement("offers to resign.")
    wins.push("[data-act=accept]")
    loses.expect_announcement("accepts the resignation.")
    for keyboard in (ana_keys, bea_keys):
        assert keyboard.heard_nothing_twice(), keyboard.transcript


def test_a_spanish_player_types_barra_20(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(locale="es-ES", reduced_motion="reduce"), open_page(), length=11, cube="")

    def entering(player: Player, state: dict[str, Any]) -> bool:
        tree = state["position"]["tree"]
        return player is ana and bool(tree) and tree[0][0][0] == BAR

    def with_blots(player: Player, state: dict[str, Any], whole: list[Play]) -> Play:
        """ana leaves as many blots as possible; bea hits as often as possible."""
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
    keys.press("/")
    ana.page.locator("#typed-play:focus").wait_for()
    keys.type(f"barra/{point}")
    keys.press("Enter")
    detail = ana.page.locator("[data-part=detail]", has_text=f"barra/{point}")
    detail.wait_for()
    assert ana.page.locator("[data-do=undo]").is_enabled()
