"""Acey-deucey, draughts and money sessions in real browsers, from the first roll to the replay. All dice are real."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TooLate

from tests.e2e import axe
from tests.e2e.seats import LONG, PATIENCE, Play, Player, play_on, text_of, two_in_a_match
from tests.e2e.table import MatchPage, typed_play
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.timeout(900)]

Open = Callable[..., Any]
Move = dict[str, Any]


# The page


def detail(page: Any, words: str) -> None:
    """Wait until the line under the headline has this text."""
    page.locator("[data-part=detail]", has_text=re.compile(words)).wait_for()


def headline(page: Any, words: str) -> None:
    page.locator("[data-part=headline]", has_text=re.compile(words)).wait_for()


def expect_announcement(page: Any, words: str) -> None:
    """Wait until the board announces this."""
    page.locator(".bd-say", has_text=re.compile(words)).wait_for(state="attached")


def square(page: Any, number: int) -> Any:
    return page.locator(".bd-grid button", has_text=re.compile(rf"^Square {number}:"))


def click(page: Any, number: int) -> None:
    """Click a square of the drawing."""
    box = square(page, number).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def move_by_clicking(page: Any, move: Move) -> None:
    """From square to square along the way, then Done. The page has to be where the server is (`Player.sees`)."""
    for number in move["path"]:
        click(page, number)
    page.locator("[data-do=done]:enabled").click()


# Over HTTP


def written(play: Play) -> str:
    return text_of(play).replace("26/", "stock/")


def to_act(players: Sequence[Player]) -> tuple[Player, dict[str, Any]]:
    """The player who may do something besides resigning, and their state."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for player in players:
            state = player.state()
            if state["match"]["status"] != "live" or any(not name.startswith("resign") for name in state["may"]):
                return player, state
        players[0].page.wait_for_timeout(100)
    raise AssertionError(f"nobody can go on: {state}")


def is_over(state: dict[str, Any]) -> bool:
    return str(state["match"]["status"]) == "over"


def race(tree: list[Any]) -> Play:
    """Race home: bear off and enter where possible, and do not hit, which would prolong the game."""
    play: Play = []
    node = 0
    while node >= 0:
        half = max(tree[node], key=lambda each: (each[1] == 0 or each[0] == 26, not each[3], random.random()))
        play.append(half)
        node = half[4]
    return play


def name_any(page: Any) -> bool:
    """Name a double if the page asks for one."""
    doubles = page.locator(".match-decision.names button:visible:enabled")
    if not doubles.count():
        return False
    try:
        doubles.first.click(timeout=8000)
    except TooLate:
        return False  # a double is named already
    return True


def replay_to_the_end(page: Any, match_id: str, result: str) -> None:
    """The replay opens on the first position, steps, and shows the result on the last one."""
    page.goto(f"/match/{match_id}/")
    page.locator("[data-part=headline]", has_text="Start of the game").wait_for()
    page.keyboard.press("ArrowRight")
    detail(page, r"position [1-9]\d* of")
    last = page.locator("[data-part=game] option").last.get_attribute("value")
    page.locator("[data-part=game]").select_option(last)
    page.locator("[data-go=last]").click()
    detail(page, result)
    assert page.locator("[data-part=moves] .move").count() > 0


@pytest.fixture(autouse=True)
def _axe() -> None:
    axe.source()


# The games


def test_an_acey_deucey_match_is_played_until_a_double_is_named(site: Site, open_page: Open) -> None:
    first_page, second_page = (open_page(reduced_motion="reduce") for _ in range(2))
    players = two_in_a_match(first_page, second_page, length=15, variant="acey-deucey", cube="")
    for player in players:
        player.prefer(auto_roll=False, auto_forced=False)
    tables = {id(player): MatchPage(player.sit()) for player in players}
    ana, bea = players
    assert ana.page.locator(".bd-grid button", has_text="White's stock: 15 white checkers").count() == 1

    # The first turns by clicking: checkers enter from the stock, some move on. A 2-1 at the start names any double.
    end = time.monotonic() + LONG
    while not all(
        any(play.startswith("stock/") for play in player.played(side))
        for player, side in zip(players, ("white", "black"), strict=True)
    ):
        assert time.monotonic() < end
        stepped = [table.step(choose=lambda buttons: None) or name_any(table.page) for table in tables.values()]
        if not any(stepped):
            ana.page.wait_for_timeout(100)

    # An illegal play shows its reason and links to the rule; no page has a partial play on its board.
    for player in players:
        player.sit()
    mover, state = to_act(players)
    while "move" not in state["may"]:
        mover.act_after(state, next(name for name in ("roll", "name 6") if name in state["may"]))
        mover, state = to_act(players)
    mover.sees(state)
    page = mover.page
    page.locator("[data-do=done]:visible").wait_for()
    typed_play(page).fill("stock/24" if set(state["position"]["dice"]) == {6} else "stock/1")
    page.keyboard.press("Enter")
    rule = page.locator("[data-part=detail] a")
    rule.wait_for()
    assert re.fullmatch(r"/rules/of/\w+/", rule.get_attribute("href"))
    assert rule.get_attribute("target") == "_blank"

    # Over HTTP until a 2-1 lets a player name a double, by its button.
    while not (names := [name for name in state["may"] if name.startswith("name ")]):
        assert not is_over(state)
        play = written(race(state["position"]["tree"])) if "move" in state["may"] else "roll"
        mover.act_after(state, play)
        mover, state = to_act(players)
    doubles = mover.page.locator(".match-decision.names button")
    doubles.nth(5).wait_for()
    playable = state["position"]["names"]
    assert len(names) == len(playable) == 6
    labels = [f"{count} of 4 playable" if count else "none playable" for count in playable]
    assert [each.inner_text().split("\n")[0].strip() for each in mover.page.locator(".match-plays").all()] == labels
    assert [each.locator(".match-ends").count() for each in doubles.all()] == [int(count < 4) for count in playable]
    assert axe.sweep(mover.page, within=".match-decision.names") == []
    number = playable.index(max(playable)) + 1
    doubles.nth(number - 1).click()
    watcher = bea if mover is ana else ana
    expect_announcement(watcher.page, f"names {number}-{number}")

    bea.act("resign match")
    for player in players:
        player.page.locator("dialog[open] [data-part=result-title]").wait_for()
    assert ana.state()["match"]["result"] == {"winner": "white", "by": "resign"}
    replay_to_the_end(ana.page, ana.match_id, "resigned the match")
    assert axe.sweep(ana.page, within=".bd") == []


def test_a_draughts_match_is_played_by_clicking(site: Site, open_page: Open) -> None:
    first_page, second_page = (open_page(reduced_motion="reduce") for _ in range(2))
    players = two_in_a_match(first_page, second_page, length=1, variant="damas", cube="", mode="obligatoria")
    for player in players:
        player.prefer(auto_forced=False)  # the captures are clicked here
        player.sit()
    mover, state = _colours_are_drawn(players)
    ana, bea = players
    assert square(ana.page, 1).inner_text() == "Square 1: black man"
    black = mover.page
    headline(black, "Your turn: you are Black")
    # An illegal move shows its reason with the rule.
    click(black, 11)
    click(black, 22)
    black.locator("[data-part=detail] a[href='/rules/of/D1/']").wait_for()
    assert axe.sweep(black) == []

    captures = plies = 0
    while plies < 12 or not captures:
        tree = state["position"]["tree"]
        move = random.choice(tree)
        captures += bool(move["taken"])
        plies += 1
        move_by_clicking(mover.page, move)
        before = state["version"]
        mover, state = _after(players, before)
        if is_over(state):
            break
        mover.sees(state)
    assert captures > 0
    if not is_over(state):
        ana.sees(state)
        ana.page.locator("[data-do=resign]").click()
        assert "wins the game immediately" in ana.page.locator("[data-part=resign-text]").inner_text()
        ana.page.keyboard.press("Escape")
        ana.act("resign match")
    for player in players:
        player.page.locator("dialog[open] [data-part=result-title]").wait_for()
    replay_to_the_end(bea.page, bea.match_id, "resigned the match| won ")
    assert axe.sweep(bea.page, within=".bd") == []


def test_huffing_compelling_and_a_draw_work_by_buttons(site: Site, open_page: Open) -> None:
    players = two_in_a_match(
        *(open_page(reduced_motion="reduce") for _ in range(2)), length=2, variant="damas", cube="", mode="soplar"
    )
    ana, bea = players
    for player in players:
        player.prefer(auto_forced=False)
        player.sit()
    mover, state = _colours_are_drawn(players)

    def play_until(wanted: Callable[[dict[str, Any]], bool]) -> tuple[Player, dict[str, Any]]:
        nonlocal mover, state
        for _ in range(300):
            if wanted(state):
                mover.sees(state)
                return mover, state
            tree = state["position"]["tree"]
            quiet = [move for move in tree if not move["taken"]]
            mover.act_after(state, random.choice(quiet or tree)["text"])
            mover, state = _after(players, state["version"])
        raise AssertionError("nobody left a capture")

    huffer, seen = play_until(lambda state: bool(state["position"]["huff"]))
    page = huffer.page
    row = page.locator(".match-decision.huff")
    row.wait_for()
    assert "Your opponent could have captured." in row.inner_text()
    target = seen["position"]["huff"]["squares"][0]
    assert "can be huffed" in square(page, target).inner_text()
    assert axe.sweep(page, within=".match-decision.huff") == []
    page.locator(f"[data-act='huff {target}']").click()
    square(page, target).and_(page.locator("button", has_text="empty")).wait_for(state="attached")
    offender = bea if huffer is ana else ana
    expect_announcement(offender.page, f"huffs the man on {target}")
    mover, state = _after(players, seen["version"])
    assert mover is huffer  # and still makes a move

    compeller, seen = play_until(lambda state: bool(state["position"]["huff"]))
    compeller.page.locator("[data-act=compel]:visible").click()
    mover, state = _after(players, seen["version"])
    assert mover is not compeller
    assert all(move["taken"] for move in state["position"]["tree"])
    detail(mover.page, "You must capture")

    offerer, seen = play_until(lambda state: "offer-draw" in state["may"])
    offerer.page.locator(".match-tools [data-act=offer-draw]").click()
    opponent = bea if offerer is ana else ana
    opponent.page.locator(".match-decision.draw").wait_for()
    detail(offerer.page, "You offered a draw")
    assert axe.sweep(opponent.page, within=".match-decision.draw") == []
    opponent.page.locator("[data-act=accept]:visible").click()
    for player in players:
        detail(player.page, "Draw by agreement")
        assert player.page.locator(".player-score b").all_inner_texts() == ["½", "½"]
    ana.act("resign match")
    bea.page.locator("dialog[open] [data-part=result-title]").wait_for()
    replay_to_the_end(bea.page, bea.match_id, "resigned the match")


def test_a_money_session_with_a_beaver_is_played(site: Site, open_page: Open) -> None:
    pages = [open_page(reduced_motion="reduce") for _ in range(2)]
    players = two_in_a_match(*pages, length=0, beavers="on")
    doubler, _ = play_on(players, until=lambda player, state: "double" in state["may"])
    opponent = players[1] if doubler is players[0] else players[0]
    page, second_page = doubler.sit(), opponent.sit()
    page.locator("[data-act=double]:visible").click()
    headline(second_page, "doubles to 2")
    detail(second_page, "or beaver")
    assert axe.sweep(second_page, within=".match-buttons") == []
    second_page.locator("[data-act=beaver]:visible").click()
    headline(page, "beavers: the cube goes to 4")
    page.locator("[data-act=drop]:visible").click()
    second_page.locator("[data-do=next]:visible").wait_for()
    detail(second_page, "You win 2 points")
    assert "away" not in second_page.locator("[data-part=scoreboard]").inner_text()
    assert axe.sweep(second_page, within="[data-part=scoreboard]") == []
    second_page.locator("[data-act=end]:visible").click()
    for each in (page, second_page):
        each.locator("dialog[open] [data-part=result-title]", has_text="The session is over").wait_for()
    assert re.search(r"\b2\b", page.locator("[data-part=result-text]").inner_text())
    replay_to_the_end(second_page, opponent.match_id, "Session over")


def _colours_are_drawn(players: Sequence[Player]) -> tuple[Player, dict[str, Any]]:
    """Wait until the opening dice differ (the pages roll automatically), and return the player who has Black."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for player in players:
            state = player.state()
            if state["position"]["phase"] == "move" and "move" in state["may"]:
                for each in players:
                    each.sees(state)
                return player, state
        players[0].page.wait_for_timeout(100)
    raise AssertionError("the colours were not drawn")


def _after(players: Sequence[Player], version: int) -> tuple[Player, dict[str, Any]]:
    """Wait for a later version, and return the player to move (or any player when the match is over)."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for player in players:
            state = player.state()
            if state["version"] > version and (is_over(state) or "move" in state["may"]):
                return player, state
        players[0].page.wait_for_timeout(100)
    raise AssertionError("nothing happened")
