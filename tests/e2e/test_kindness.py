"""Live play: several tabs, lost connections, preferences, and reasons for refused moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.seats import (
    Player,
    guest,
    play_on,
    play_together,
    plays,
    result_of,
    text_of,
    two_in_a_match,
    waiting_for,
)
from tests.e2e.table import typed_play
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
NO_SOCKETS = """
window.WebSocket = class extends EventTarget {
    constructor() {
        super();
        this.readyState = 0;
        setTimeout(() => {
            this.readyState = 3;
            this.onclose?.({code: 1006});
            this.dispatchEvent(new CloseEvent('close', {code: 1006}));
        }, 10);
    }
    send() {}
    close() {}
};
"""


def is_to_move(player: Player) -> Callable[[Player, dict[str, Any]], bool]:
    return lambda actor, state: actor is player and "move" in state["may"]


def write(page: Any, text: str) -> None:
    """Type a play and confirm it."""
    typed_play(page).fill(text)
    page.keyboard.press("Enter")
    page.locator("[data-do=done]:enabled").click()


def board_text(page: Any) -> str:
    """The board in words."""
    return str(page.locator(".bd-grid").inner_text())


def middle(page: Any, point: int) -> tuple[float, float]:
    """Where a point, in the player's own numbering, is on the screen: a little out from its base."""
    box = page.locator(".bd-grid button", has_text=re.compile(rf"^(Point|Punto) {point}:")).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.8 if point <= 12 else 0.2)


def drag(page: Any, start: int, end: int) -> None:
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*middle(page, end), steps=6)
    page.mouse.up()


def test_two_tabs_of_one_player_stay_in_sync_and_a_spectator_only_watches(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(reduced_motion="reduce"), open_page(reduced_motion="reduce"))
    _, state = play_on([ana, bea], until=is_to_move(ana))
    ana_page, bea_page = ana.sit(), bea.sit()
    second = ana_page.context.new_page()
    second.goto(ana_page.url)
    watcher = open_page(f"/match/{ana.match_id}/", reduced_motion="reduce")
    watcher.locator(".match.ready").wait_for()
    assert ana_page.title().startswith("● Your turn")
    assert not bea_page.title().startswith("●")

    play_text = text_of(plays(state["position"]["tree"])[0])
    write(ana_page, play_text)

    bea_page.wait_for_function("() => document.title.startsWith('● Your turn')")
    ana_page.wait_for_function("() => !document.title.startsWith('●')")
    play = re.compile(re.escape(ana.played("white")[-1]))
    for page in (ana_page, second, watcher):
        page.locator("[data-part=moves]", has_text=play).wait_for()
    assert board_text(second) == board_text(ana_page)
    assert watcher.locator(".match-buttons button:visible, [data-do=resign]:visible, #typed-play:visible").count() == 0
    assert bea_page.locator("[data-act=roll]:visible").count() == 1


def test_a_lost_connection_is_shown_and_recovers_without_a_reload(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(reduced_motion="reduce"), open_page())
    _, state = play_on([ana, bea], until=is_to_move(bea))
    page = ana.sit()
    page.evaluate("() => { window.same = true }")
    banner = page.locator("[data-part=link]")
    page.context.set_offline(True)
    banner.wait_for()
    assert "Connection lost" in banner.inner_text()

    bea.act(text_of(plays(state["position"]["tree"])[0]))

    page.context.set_offline(False)
    banner.wait_for(state="hidden")
    page.locator("[data-act=roll]:visible").wait_for()
    page.locator("[data-part=moves]", has_text=bea.played("black")[-1]).wait_for()
    assert page.evaluate("() => window.same") is True


def test_play_continues_where_websockets_are_blocked(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(reduced_motion="reduce"), open_page())
    _, state = play_on([ana, bea], until=is_to_move(ana))
    ana.page.context.add_init_script(NO_SOCKETS)
    page = ana.sit()
    page.locator("[data-part=link]", has_text="live connection is blocked").wait_for()
    write(page, text_of(plays(state["position"]["tree"])[0]))
    waiting_for([bea], "roll")
    bea.act("roll")
    play_on([bea], until=lambda _, state: state["position"]["turn"] == "white")
    page.locator("[data-act=roll]:visible").click()
    for play in bea.played("black"):
        page.locator("[data-part=moves]", has_text=play).wait_for()


def test_a_reload_in_the_middle_of_a_turn_restores_the_position(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(reduced_motion="reduce"), open_page())
    _, state = play_on([ana, bea], until=is_to_move(ana))
    page = ana.sit()
    page.locator("[data-do=done]:visible").wait_for()
    before = board_text(page)
    half = plays(state["position"]["tree"])[0][0]
    page.mouse.click(*middle(page, half[0]))
    page.locator("[data-do=undo]:enabled").wait_for()
    assert board_text(page) != before
    page.reload()
    page.locator("[data-do=done]:visible").wait_for()
    assert board_text(page) == before
    write(page, text_of(plays(state["position"]["tree"])[0]))
    waiting_for([bea], "roll")


def test_swapped_dice_are_played_left_first(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(reduced_motion="reduce"), open_page())

    def with_two_numbers(player: Player, state: dict[str, Any]) -> bool:
        dice = state["position"]["dice"]
        return is_to_move(ana)(player, state) and dice[0] != dice[1]

    _, state = play_on([ana, bea], until=with_two_numbers)
    page = ana.sit()
    rolled = "() => [...document.querySelectorAll('.bd-dice > g')].map(die => die.querySelectorAll('.pip').length)"
    page.locator(".bd-dice .swappable").first.click()
    swapped = sorted(state["position"]["dice"])  # the higher one lay on the left
    assert page.evaluate(rolled) == swapped
    start = next(half[0] for half in state["position"]["tree"][0] if half[2] == swapped[0])
    page.mouse.click(*middle(page, start))
    used = page.locator(".bd-dice > g").first
    page.wait_for_function("() => document.querySelector('.bd-dice > g.used')")
    assert "used" in used.get_attribute("class")


def test_a_checker_is_dragged_and_an_illegal_drop_is_explained(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(*(open_page(reduced_motion="reduce", locale="es-ES") for _ in range(2)))
    mover, state = play_on([ana, bea], until=lambda player, state: "move" in state["may"])
    page = mover.sit()
    drag(page, 24, 19)  # where five of the opponent's checkers stand
    page.locator("[data-part=detail]", has_text=re.compile(r"(19|dados|tirada).*\(regla B[46]\)")).wait_for()
    assert page.locator("[data-do=undo]").is_disabled()

    before = board_text(page)
    half = next(half for half in state["position"]["tree"][0] if half[0] < 25 and half[1] > 0)
    drag(page, half[0], half[1])
    page.locator("[data-do=undo]:enabled").click()
    assert board_text(page) == before


def test_the_board_follows_the_direction_preference(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(), open_page())
    ana.prefer(direction="cw")
    page = ana.sit()
    assert middle(page, 1)[0] < middle(page, 6)[0] < middle(page, 7)[0]
    page.locator("[data-do=flip]").click()
    assert middle(page, 7)[0] < middle(page, 6)[0] < middle(page, 1)[0]
    page = bea.sit()
    assert middle(page, 7)[0] < middle(page, 6)[0] < middle(page, 1)[0]


def test_a_player_without_automatic_rolls_is_asked_to_roll(site: Site, open_page: Open) -> None:
    ana, bea = guest(open_page()), guest(open_page())
    bea.prefer(auto_roll=False)
    play_together(ana, bea)
    bea.sit()
    ana.sit()  # her page rolls by itself
    bea.page.locator("[data-act=roll]:visible").wait_for()
    ana.page.locator("[data-part=headline]", has_text="Waiting for your opponent").wait_for()
    assert bea.state()["ready"] == ["white"]
    rolls = bea.state()["version"]
    bea.page.locator("[data-act=roll]").click()
    bea.reaches(lambda state: state["version"] > rolls)


def test_forced_plays_are_automatic_unless_switched_off(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(), open_page(), variant="hypergammon", length=11, cube="")

    def has_one_play(player: Player, state: dict[str, Any]) -> bool:
        tree = state["position"]["tree"]
        return player is ana and bool(tree) and len({result_of(play) for play in plays(tree)}) == 1

    _, state = play_on([ana, bea], until=has_one_play)
    many = len(ana.played("white"))
    ana.sit()
    ana.reaches(lambda now: now["version"] > state["version"])
    assert len(ana.played("white")) == many + 1


def test_a_guest_keeps_their_preferences(site: Site, open_page: Open) -> None:
    player = guest(open_page())
    player.prefer(sound=False, theme="dark")
    player.page.goto("/settings/")
    assert not player.page.locator("#id_sound").is_checked()
    assert player.page.locator("html").get_attribute("data-theme") == "dark"
