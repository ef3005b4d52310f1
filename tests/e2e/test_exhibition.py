"""A simultaneous exhibition in a browser: the host goes from board to board."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.director import members, sign_in
from tests.e2e.seats import Player, play_on
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]

EXHIBITION = """
from accounts.models import User
from games import dice
from games import services as play
from tournaments import services
from tournaments.formats.core import Config
from tournaments.models import Meeting
from tournaments.terms import Terms
host, *guests = [User.objects.get(username=name) for name in {names!r}]
terms = Terms(Config("exhibition"), clock="days1", venue="online", lengths=(1,), seeding="hand")
made = services.tournament_create(creator=host, name="Simul", terms=terms)
for user in (host, *guests):
    services.entrant_register(tournament_id=made.pk, user=user)
services.entrants_seed(tournament_id=made.pk, user=host, ranks={{1: 1}})
services.tournament_start(tournament_id=made.pk, user=host)
answer = []
before = dice.replace_roller(lambda match_id, index, elements: (3, 1))  # White, the host, begins
for guest in guests:
    match = Meeting.objects.get(tournament=made, b__user=guest).match
    for user in (host, guest):
        play.match_arrive(match_id=match.pk, user=user)
    for user in (host, guest):
        play.match_act(match_id=match.pk, user_id=user.pk, action="roll", client_id="opening")
    answer.append(match.pk)
dice.replace_roller(before)
"""


@pytest.mark.timeout(300)
def test_the_host_goes_from_board_to_board(site: Site, open_page: Open) -> None:
    names = [site.name(name) for name in ("ana", "bea", "carlos")]
    sessions = members(site, *names)
    first, second = site.ask(EXHIBITION.format(names=names))
    pages = [open_page(reduced_motion="reduce") for _ in range(2)]
    for name, page in zip(names, pages, strict=False):
        sign_in(page, sessions[name])
    ana, bea = (Player(page) for page in pages)
    ana.match_id = bea.match_id = first

    bea.page.goto("/rules/")
    page = ana.sit()
    link = page.get_by_role("link", name="Next board")
    count = page.locator("[data-part=next-board-count]")
    assert (count.inner_text(), page.locator("#next-board-text").text_content()) == (
        "1",
        "It's your turn at 1 other board.",
    )
    assert axe.sweep(page, within=".match-status") == []
    ana.act("8/5 6/5")
    ana.sees(ana.state())
    link.click()
    page.wait_for_url(re.compile(f"/match/{second}/$"))
    page.locator(".bd-grid button").first.wait_for(state="attached")
    assert count.inner_text() == "0"

    play_on([bea], until=lambda _, state: not {"roll", "move"} & set(state["may"]))
    ana.match_id = second
    ana.act("8/5 6/5")  # after an act the boards are counted again, without a reload
    page.locator("[data-part=next-board-count]", has_text="1").wait_for()
    assert page.locator("#next-board-text").text_content() == "It's your turn at 1 other board."
    page.keyboard.press("?")
    assert "Next board" in page.locator("dialog[open]").inner_text()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.wait_for_url(re.compile(f"/match/{first}/$"))
