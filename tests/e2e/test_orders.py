"""Automatic actions in correspondence, in two browsers: an absent player has answered the double in advance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.seats import Player, plays, text_of, two_in_a_match
from tests.e2e.table import MatchPage
from tests.e2e.test_dice import play, roll_first
from tests.e2e.test_order import wait_until_left
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
RECORD = "select actor, text, asked from games_action where match_id = ? and n > ? order by n"


def frames_of(page: Any) -> list[str]:
    """The frames that every socket of this page receives from now on."""
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    return frames


def after_a_play(open_page: Open) -> tuple[Player, Player, list[str]]:
    """At 3 days per move: the first has just played; the second, whose frames are kept, may roll or double."""
    first, second = (open_page(reduced_motion="reduce") for _ in range(2))
    players = two_in_a_match(first, second, length=5, clock="days3")
    frames = {player.page: frames_of(player.page) for player in players}
    tables = [MatchPage(player.sit()) for player in players]

    def moving(player: Player) -> bool:
        state = player.state()
        return state["position"]["phase"] == "move" and state["position"]["turn"] == state["you"]

    play(tables, until=lambda: any(moving(player) for player in players), choose=roll_first)
    first, second = sorted(players, key=moving, reverse=True)
    first.act(text_of(plays(first.state()["position"]["tree"])[0]))
    for player in players:
        player.sees(first.state())
    return first, second, frames[second.page]


@pytest.mark.timeout(300)
def test_an_absent_player_has_answered_the_double_in_advance(site: Site, open_page: Open) -> None:
    bea, ana, frames = after_a_play(open_page)
    before = bea.state()
    card = bea.page.locator("[data-part=orders]")
    card.get_by_label("Roll automatically every turn").check(force=True)
    card.get_by_role("button", name="Drop").click()
    card.get_by_text("doubles now, you drop.").wait_for()
    wait_until_left(site, bea, before["you"])
    bea.reaches(lambda state: state["orders"]["double"] == "double drop")
    assert axe.sweep(bea.page, within="[data-part=orders]") == []
    bea.page.reload()
    card.get_by_role("button", name="Remove").click()
    card.get_by_role("button", name="Take", exact=True).wait_for()
    bea.reaches(lambda state: state["orders"]["double"] is None)
    card.get_by_role("button", name="Drop").click()
    card.get_by_role("button", name="Remove").wait_for()
    bea.reaches(lambda state: state["orders"]["double"] == "double drop")
    bea.page.wait_for_function("() => document.querySelector('[data-part=order-help]').textContent.startsWith('Ready')")
    bea.page.goto("/rules/")
    assert not any('"double":"double drop' in frame for frame in frames)
    assert ana.state()["orders"]["double"] is None

    ana.page.locator("[data-act=double]").click()
    dialog = ana.page.locator("dialog[open]")
    assert "1 → 2" in dialog.inner_text()
    assert axe.sweep(ana.page, within="dialog[open]") == []
    ana.page.keyboard.press("Enter")  # the focus is on "Go back"
    dialog.wait_for(state="detached")
    assert ana.state()["version"] == before["version"]
    ana.page.locator("[data-act=double]").click()
    ana.page.locator("dialog[open] [data-part=confirm-yes]").click()
    ana.page.locator(".match-moves small", has_text="auto").or_(
        ana.page.locator("[data-part=detail]", has_text="You win 1 point.")
    ).first.wait_for()

    record = site.rows(RECORD, before["match"]["id"], before["version"])
    assert [tuple(row) for row in record[:3]] == [
        (ana.state()["you"], "double", "double"),
        (before["you"], "drop", "ordered"),
        (before["you"], "roll", ""),
    ]
    state = ana.state()
    assert (state["match"]["game"], state["match"]["score"][state["you"]]) == (2, 1)
    assert bea.state()["orders"]["double"] is None


@pytest.mark.timeout(300)
def test_a_resignation_shows_its_cost_and_its_dialog_closes_when_the_match_moves_on(
    site: Site, open_page: Open
) -> None:
    bea, ana, _frames = after_a_play(open_page)
    page = bea.page
    page.locator("[data-do=resign]").click()
    page.locator("dialog[open] .match-levels button[value='resign 2']").click()
    dialog = page.locator("dialog[open][role=alertdialog]")
    assert "You lose 2 points. The score will be 0–2." in dialog.inner_text()
    assert page.evaluate("() => document.activeElement.dataset.part") == "confirm-back"
    assert axe.sweep(page, within="dialog[open]") == []
    ana.page.locator("[data-act=roll]").click()
    dialog.wait_for(state="detached")
    page.locator("[data-part=detail]", has_text="The match has moved on.").wait_for()
    assert bea.state()["offer"] is None

    page.locator("[data-do=resign]").click()
    page.locator("dialog[open] .match-levels button[value='resign match']").click()
    assert "You lose the whole match; the score is 0–0." in dialog.inner_text()
    page.locator("dialog[open] [data-part=confirm-yes]").click()
    page.locator("dialog[open] [data-part=result-title]").wait_for()
    assert bea.state()["match"]["result"] == {"winner": ana.state()["you"], "by": "resign"}
