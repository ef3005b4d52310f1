"""Two users in two browsers sign up, challenge each other, and play a whole match by clicking."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.seats import LONG, prefer
from tests.e2e.table import MatchPage, challenge, painted, play_to_the_end, sign_up
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

FOLD = """
from games.models import Match
from games.events import state_of
from tests.replayed_state import replayed_state
match = Match.objects.get(pk={match_id!r})
state = state_of(match)
answer = {{
    "same": replayed_state(match) == state,
    "status": match.status, "winner": match.winner, "by": match.ended_by, "version": match.version,
    "score": state.score.view(),
    "texts": list(match.actions.values_list("text", flat=True)),
    "crawford": [game.score_before.get("crawford") for game in match.games.all()],
    "seats": {{seat.side: [seat.user.username, seat.points, seat.won] for seat in match.seats.all()}},
}}
"""


class Cube:
    """Doubles at every chance; the first double is taken, the later ones are dropped, so that matches stay short."""

    def __init__(self) -> None:
        self.has_taken = False

    def __call__(self, buttons: dict[str, str]) -> str | None:
        if "take" in buttons:
            if self.has_taken:
                return "drop"
            self.has_taken = True
            return "take"
        return "double" if "double" in buttons else None


@pytest.mark.timeout(900)
def test_two_users_sign_up_challenge_each_other_and_play_a_match_to_three(
    site: Site, browsers: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    ana_name, bea_name = site.name("ana"), site.name("bea")
    ana, bea = (open_page(browser=browsers(), reduced_motion="reduce") for _ in range(2))
    for page, name in ((ana, ana_name), (bea, bea_name)):
        sign_up(page, name)
    bea.goto("/")
    challenge(ana, bea_name, length=3, variant="hypergammon")  # short, with all kinds of moves
    bea.locator("#challenges .btn-primary").click()  # it arrived without a reload, over the lobby socket
    for page in (bea, ana):  # and ana is redirected to the match
        page.wait_for_url(re.compile(r"/match/\w+/$"))
    match_id = bea.url.rstrip("/").rsplit("/", 1)[1]

    play_to_the_end([MatchPage(ana), MatchPage(bea)], choose=Cube(), seconds=720)

    facts = site.ask(FOLD.format(match_id=match_id))
    assert (facts["status"], facts["by"], facts["same"]) == ("over", "score", True)
    assert {name for name, _, _ in facts["seats"].values()} == {ana_name, bea_name}
    winner = facts["seats"][facts["winner"]]
    assert winner[1] >= 3
    assert winner[2] is True
    assert {"double", "take", "drop"} <= set(facts["texts"])
    for page, name in ((ana, ana_name), (bea, bea_name)):
        title = page.locator("[data-part=result-title]").inner_text()
        assert title.startswith("You won" if name == winner[0] else "You lost")

    # The match is in both histories, and can be paged through move by move.
    for page in (ana, bea):
        page.goto("/history/")
        assert page.locator(f"a[href='/match/{match_id}/']").count() >= 1
    bea.goto(f"/match/{match_id}/")
    start = bea.locator("[data-part=headline]", has_text="Start of the game")
    start.wait_for()
    bea.keyboard.press("ArrowRight")
    start.wait_for(state="detached")
    with bea.expect_download() as download:
        bea.locator("a[href$='match.json']").click()
    exported = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert (exported["variant"], exported["length"]) == ("hypergammon", 3)


def test_a_visitor_plays_the_computer_at_once_and_keeps_the_match_at_sign_up(
    site: Site, open_page: Callable[..., Any]
) -> None:
    page = open_page("/", reduced_motion="reduce")
    page.locator("form[action*=guest] button").first.click()
    page.wait_for_url(re.compile(r"/match/\w+/$"))
    match_id = page.url.rstrip("/").rsplit("/", 1)[1]
    prefer(page, auto_forced=False)
    page.goto(f"/match/{match_id}/")
    table = MatchPage(page)
    to_move = page.locator("[data-do=done]:visible")  # nothing else moves the match on then: a resignation is not late
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        painted(page)  # Done is there until the frame after its press, and the match moves on when it is answered
        moves = site.rows("select count(*) from games_action where match_id = ? and actor = 'black'", match_id)
        if moves[0][0] >= 6 and to_move.count():
            break
        if not table.step(
            choose=lambda buttons: "take" if "take" in buttons else "roll" if "roll" in buttons else None
        ):
            page.wait_for_timeout(100)
    else:
        pytest.fail("the computer never played")
    page.locator("[data-do=resign]").click()
    page.locator("dialog[open] .match-levels button").last.click()
    page.locator("dialog[open] [data-part=confirm-yes]").click()
    page.locator("dialog[open] [data-part=result-title]").wait_for()
    page.goto("/accounts/signup/")
    name = site.name("carlos")
    page.locator("#id_username").fill(name)
    page.locator("#id_password1").fill("nogal y fieltro")
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url(re.compile(r"^(?!.*/signup).*$"))
    page.goto("/history/")
    assert page.locator(f"a[href='/match/{match_id}/']").count() >= 1
    seats = site.rows(
        "select u.username, u.is_guest from games_seat s join accounts_user u on u.id = s.user_id"
        " where s.match_id = ? and s.side = 'white'",
        match_id,
    )
    assert [(seat[0], bool(seat[1])) for seat in seats] == [(name, False)]
