"""Fair dice that the players' browsers commit to and verify: two players, a second device, a tampered record."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.seats import Player, guest, play_on, play_together, two_in_a_match
from tests.e2e.table import MatchPage, resign_the_match
from tools.services.environment import ROOT
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
ROLLS = "select count(*) from games_action where match_id = ? and actor = 'chance'"


def dice_button(page: Any) -> Any:
    return page.locator("[data-part=dice-lock]")


def rolls_of(site: Site, player: Player) -> int:
    return int(site.rows(ROLLS, player.match_id)[0][0])


def play(tables: list[MatchPage], *, until: Callable[[], bool], choose: Any = lambda buttons: None) -> None:
    """Both players click until the condition holds."""
    for _ in range(2000):
        if until():
            return
        moved = [table.step(choose=choose) for table in tables]
        if not any(moved):
            tables[0].page.wait_for_timeout(100)
    raise AssertionError([table.page.locator("[data-part=headline]").inner_text() for table in tables])


def roll_first(buttons: dict[str, str]) -> str | None:
    """Neither doubles nor waits."""
    return "roll" if "roll" in buttons else None


def check(page: Any) -> str:
    """The result of "Check the dice", with the keyboard."""
    dice_button(page).focus()
    page.keyboard.press("Enter")
    page.locator("[data-part=dice-check]").focus()
    page.keyboard.press("Enter")
    page.locator("[data-part=dice-result]:is(.good, .wrong)").wait_for()
    result: str = page.locator("[data-part=dice-result]").inner_text()
    return result


@pytest.mark.timeout(900)
def test_two_players_see_every_roll_verified_and_verify_again_after_the_match(
    site: Site, open_page: Open, tmp_path: Path
) -> None:
    first, second = (open_page(reduced_motion="reduce") for _ in range(2))
    ana, bea = two_in_a_match(first, second, length=5)
    pages = [player.sit() for player in (ana, bea)]
    tables = [MatchPage(page) for page in pages]
    play(tables, until=lambda: rolls_of(site, ana) >= 6, choose=roll_first)

    def double_and_drop(buttons: dict[str, str]) -> str | None:
        return next((name for name in ("drop", "double", "next", "roll") if name in buttons), None)

    def in_another_game() -> bool:
        """Past its opening, which needs a deposit, and where nothing rolls by itself."""
        state = ana.state()
        return state["match"]["game"] >= 2 and state["position"]["phase"] == "move"

    play(tables, until=in_another_game, choose=double_and_drop)
    rolls = rolls_of(site, ana)
    for page in pages:
        page.locator("[data-part=dice-lock][data-kind=good]").wait_for()
        page.locator("[data-part=dice-summary]", has_text=f"{rolls} rolls verified").wait_for(state="attached")
    state = ana.state()
    assert [state["dice"][side]["held"] for side in ("white", "black")] == [False, False]

    resign_the_match(pages[0])
    pages[0].locator("dialog[open] form[method=dialog] button").click()
    assert check(pages[0]) == f"{rolls} rolls verified."

    page = bea.page
    page.goto(f"/match/{bea.match_id}/")
    assert check(page) == f"{rolls} rolls verified."
    for path, link in (("dice.json", "[data-part=dice-record]"), ("verify_dice.py", "a[href='/verify_dice.py']")):
        with page.expect_download() as download:
            page.locator(f"[data-part=dice-dialog] {link}").click()
        download.value.save_as(tmp_path / path)
    assert (tmp_path / "verify_dice.py").read_bytes() == (ROOT / "docs" / "verify_dice.py").read_bytes()
    done = subprocess.run(
        [sys.executable, str(tmp_path / "verify_dice.py"), str(tmp_path / "dice.json")], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (
        0,
        f"{tmp_path / 'dice.json'}: all {rolls} rolls are as they were promised\n",
    )

    # The third roll is changed in transit.
    record = json.loads((tmp_path / "dice.json").read_text())
    record["rolls"][2]["dice"] = [6, 6] if record["rolls"][2]["dice"] != [6, 6] else [5, 5]
    page.route("**/dice.json", lambda route: route.fulfill(json=record))
    page.locator("[data-part=dice-check]").click()
    page.locator("[data-part=dice-result].wrong").wait_for()
    result = page.locator("[data-part=dice-result]").inner_text()
    assert result == "Roll 3 failed verification. The dice don't match the numbers they are made from."
    assert page.locator("[data-part=dice-alarm]").is_visible()
    assert dice_button(page).get_attribute("data-kind") == "wrong"
    assert axe.sweep(page, within="[data-part=dice-dialog]") == []


@pytest.mark.timeout(600)
def test_a_second_device_without_the_seed_can_switch_to_server_dice(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(), open_page())
    pages = [player.sit() for player in (ana, bea)]
    play([MatchPage(page) for page in pages], until=lambda: rolls_of(site, ana) >= 1, choose=roll_first)
    for page in pages:
        page.locator("[data-part=dice-summary]", has_text=re.compile("rolls? verified")).wait_for(state="attached")
    pages[0].goto("/rules/")
    phone = open_page(viewport=(360, 740))
    phone.context.clear_cookies()
    phone.context.add_cookies(ana.page.context.cookies())
    phone.goto(f"/match/{ana.match_id}/")
    play(
        [MatchPage(phone), MatchPage(pages[1])],
        until=lambda: phone.locator("[data-part=dice-ask]").is_visible(),
        choose=roll_first,
    )
    assert axe.sweep(phone, within="[data-part=dice-ask]") == []
    phone.set_viewport_size({"width": 360, "height": 740})
    before = rolls_of(site, ana)
    phone.locator("[data-part=dice-ask] button[value='']").click()
    phone.locator("[data-act=roll]:visible").click()
    assert rolls_of(site, ana) == before
    phone.locator("[data-part=dice-ask] button[value=on]").click()
    pages[1].locator("[data-part=dice-summary]", has_text="doesn't take part in the dice").wait_for(state="attached")
    phone.locator("[data-part=dice-summary]", has_text="doesn't take part in your rolls").wait_for(state="attached")
    assert rolls_of(site, ana) == before + 1
    assert pages[1].locator("[data-part=dice-lock]").get_attribute("data-kind") == "partial"
    assert ana.state()["dice"]["white"]["held"] is True


def test_a_tampered_roll_raises_a_lasting_alarm(site: Site, open_page: Open) -> None:
    page = open_page()
    ana = guest(page)
    bea = Player(open_page())
    play_together(ana, bea)

    def change(text: str) -> str:
        frame = json.loads(text)
        for action in frame.get("actions", ()):
            if action["text"].startswith("dice "):
                action["text"] = "dice 66" if action["text"] != "dice 66" else "dice 55"
        return json.dumps(frame)

    def tamper(socket: Any) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: socket.send(change(text)))

    carlos = open_page()
    carlos.route_web_socket("**/ws/match/**", tamper)
    carlos.goto(f"/match/{ana.match_id}/")
    carlos.locator(".match.ready").wait_for()
    player, state = play_on([ana, bea], until=lambda _, state: "move" in state["may"])
    alarm = carlos.locator("[data-part=dice-alarm]")
    alarm.wait_for()
    assert "Roll 1 failed verification" in alarm.inner_text()
    assert axe.sweep(carlos, within="[data-part=dice-alarm]") == []
    assert alarm.is_visible()
    assert player.act_after(state, "resign match")
    alarm.locator("button").click()
    assert "Roll 1 failed verification" in carlos.locator("[data-part=dice-summary]").inner_text()
