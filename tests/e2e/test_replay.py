"""The replay of a match of several games: each game is loaded when it is opened by key, list or URL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.replay_frames import FRAMES_VERSION
from tests.e2e import axe, layout
from tests.e2e.seats import Player, play_on, two_in_a_match
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
DETAIL, GAME = "[data-part=detail]", "[data-part=game]"


def give_up(players: list[Player], games: int) -> str:
    """Play so many games that end with a resignation, the last one with the match; return the match id."""
    while True:
        for player in players:
            state = player.state()
            if state["match"]["status"] == "over":
                return player.match_id
            may = state["may"]
            if "accept" in may:
                player.act("accept")
            elif state["match"]["game"] == games and "resign match" in may:
                player.act("resign match")
            elif "resign 1" in may:
                player.act("resign 1")
            elif "roll" in may:
                player.act("roll")


def open_at(page: Any, match_id: str, spot: str = "") -> None:
    page.goto(f"/match/{match_id}/{spot}")
    page.locator(".match.ready").wait_for()


def test_a_replay_is_navigated_from_game_to_game(site: Site, open_page: Open) -> None:
    page, other = open_page(reduced_motion="reduce"), open_page(reduced_motion="reduce")
    match_id = give_up(two_in_a_match(page, other, length=5), 3)
    requests: list[str] = []
    page.on(
        "request",
        lambda request: requests.append(request.url.rsplit("/", 1)[-1]) if "/replay/" in request.url else None,
    )

    open_at(page, match_id)
    assert requests == []
    page.keyboard.press("End")
    page.locator(DETAIL, has_text="wins 1 point").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator(DETAIL, has_text="Game 2, position 0 of").wait_for()
    page.locator(GAME).select_option(label=page.locator(f"{GAME} option").nth(2).inner_text())
    page.locator(DETAIL, has_text="Game 3, position 0 of").wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator(DETAIL, has_text="wins 1 point").wait_for()
    assert page.url.rsplit("#", 1)[1].startswith("g2m")
    assert requests == [f"2.json?{FRAMES_VERSION}", f"3.json?{FRAMES_VERSION}"]

    # A URL opens a game that the page has not loaded, and a game that cannot be loaded shows an error.
    open_at(other, match_id, "#g2m1")
    other.locator(DETAIL, has_text="Game 2, position 1 of").wait_for()
    other.context.set_offline(True)
    other.locator(GAME).select_option("2")
    other.locator(DETAIL, has_text="Couldn't load this game").wait_for()
    assert other.locator(GAME).input_value() == "1"
    other.context.set_offline(False)
    other.locator(GAME).select_option("2")
    other.locator(DETAIL, has_text="Game 3, position 0 of").wait_for()

    # The dice are checked against the record of all games.
    other.locator("[data-part=dice-lock]").click()
    other.locator("[data-part=dice-check]").click()
    other.locator("[data-part=dice-result]", has_text="verified").wait_for()


# How many one-line plays fit: the dice decide which plays take two lines.
IN_SIGHT = """() => {
    const list = document.querySelector('.match-moves').getBoundingClientRect();
    const rows = [...document.querySelectorAll('.match-moves tbody tr')].map(row => row.getBoundingClientRect());
    return Math.floor((list.bottom + 1 - rows[0].top) / Math.min(...rows.map(row => row.height)));
}"""


def test_the_move_list_has_room_beside_a_fully_visible_board(site: Site, open_page: Open) -> None:
    page, other = open_page(reduced_motion="reduce"), open_page(reduced_motion="reduce")
    players = two_in_a_match(page, other, length=1)
    play_on(players, until=lambda _player, state: state["match"]["status"] == "over")
    for size, lines in (((1440, 900), 6), ((1440, 700), 5), ((768, 1024), 8), ((360, 740), 8)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        open_at(page, players[0].match_id)
        assert page.evaluate(IN_SIGHT) >= lines, size
        assert layout.below_the_fold(page, ".bd") == []
        assert layout.overlaps(page) == []
        assert not layout.scrolls_sideways(page)


def test_the_dice_pages_are_accessible(site: Site, open_page: Open) -> None:
    page, other = open_page(reduced_motion="reduce"), open_page(reduced_motion="reduce")
    match_id = give_up(two_in_a_match(page, other, length=5), 3)
    for path in (f"/match/{match_id}/dice/", "/dice/"):
        page.goto(path)
        assert axe.sweep(page) == []
        page.set_viewport_size({"width": 360, "height": 740})
        assert not layout.scrolls_sideways(page)
