"""TV, live boards, the boards of a tournament and the stream overlay: live matches in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe, layout
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
BEGUN = """
from accounts.models import User
from games import services
from games.selectors import match_state
def may(match, player):
    event, side = match_state.match_event(match_id=match.pk, user_id=player.pk)
    return event["private"][side]["may"]
answer = []
for number, (variant, length) in enumerate({terms!r}):
    ana, bea = (User.objects.create_user(name) for name in {names!r}[2 * number : 2 * number + 2])
    seek = services.match_create(creator=ana, variant=variant, length=length, clock="none", rated=False)
    match = services.match_join(match_id=seek.pk, user=bea)
    rolls = 0
    while not any("move" in may(match, player) for player in (ana, bea)):
        rolls += 1  # a tie is rolled again, and damas has no dice
        for player in (ana, bea):
            if "roll" in may(match, player):
                page = f"begin-{{player.pk}}-{{rolls}}"
                services.match_act(match_id=match.pk, user_id=player.pk, action="roll", client_id=page)
    answer.append(match.pk)
"""
PLAYED = """
from games import services
from games.models import Match
from games.selectors import match_state
match = Match.objects.get(pk={pk!r})
for seat in match.seats.all():
    event, side = match_state.match_event(match_id=match.pk, user_id=seat.user_id)
    mine = event["private"][side]
    if "move" in mine["may"]:
        from tools.load.socket_player import any_play
        import random
        play = any_play(mine["tree"], random.Random(1))
        answer = services.match_act(match_id=match.pk, user_id=seat.user_id, action=play, client_id="page-1").version
"""
ENDED = """
from games import services
from games.models import Match
match = Match.objects.get(pk={pk!r})
seat = match.seats.first()
services.match_act(match_id=match.pk, user_id=seat.user_id, action="resign match", client_id="end-1")
if Match.objects.get(pk=match.pk).status == "live":
    opponent = match.seats.exclude(pk=seat.pk).get()
    services.match_act(match_id=match.pk, user_id=opponent.user_id, action="accept", client_id="end-2")
answer = Match.objects.get(pk=match.pk).status
"""
STAGE = """
from games import services
from games.models import Match
from tests.tournaments.staging import staged
made = staged("knockout", 8, online=8)
playing = list(Match.objects.filter(from_url=f"/tournaments/{made.pk}/", status="open").prefetch_related("seats__user"))
for match in playing:
    for seat in match.seats.all():
        services.match_arrive(match_id=match.pk, user=seat.user)
answer = [made.pk, [match.pk for match in playing]]
"""
TERMS = [("backgammon", 7), ("backgammon", 5), ("nackgammon", 3), ("damas", 1)]
CHANGED = "([place, before]) => document.querySelector(place).textContent !== before"


@pytest.fixture
def matches(site: Site) -> list[str]:
    names = [site.name(name) for name in ("ana", "bea") * len(TERMS)]
    return list(site.ask(BEGUN.format(terms=TERMS, names=names)))


def sideways_at(page: Any, size: tuple[int, int]) -> bool:
    """Whether the page scrolls sideways at this size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return layout.scrolls_sideways(page)


def live_boards_page(open_page: Open, path: str = "/wall/", **more: Any) -> Any:
    page = open_page(path, **more)
    page.locator(".live-board .live-board-piece").first.wait_for(state="attached")
    return page


SIZES = ((360, 740), (1440, 900))


def test_live_boards_show_all_matches_and_follow_them(site: Site, open_page: Open, matches: list[str]) -> None:
    page = live_boards_page(open_page)
    for match in matches:
        page.locator(f".live-board[data-match='{match}']").wait_for(state="attached")
    assert [size for size in SIZES if sideways_at(page, size)] == []
    assert page.locator("#live-boards-list").count() == 0
    first = page.locator(f"[data-match='{matches[0]}']")
    first.scroll_into_view_if_needed()
    before = first.locator(".visually-hidden").text_content()
    site.ask(PLAYED.format(pk=matches[0]))
    page.wait_for_function(CHANGED, arg=[f"[data-match='{matches[0]}'] .visually-hidden", before])
    assert site.ask(ENDED.format(pk=matches[0])) == "over"
    page.locator(f"[data-match='{matches[0]}'].is-over .live-board-over").wait_for(state="attached")
    page.locator(f"[data-match='{matches[1]}'] a").click()
    page.wait_for_url(f"**/match/{matches[1]}/")


@pytest.mark.usefixtures("matches")
def test_each_board_is_a_figure_with_a_text_and_no_live_region(open_page: Open) -> None:
    page = live_boards_page(open_page)
    text = page.locator(".live-board .visually-hidden").first.text_content()
    assert "pip count" in text or "Draughts" in text
    assert page.locator(".live-board [aria-live]").count() == 0
    assert page.locator(".live-board-picture:not([aria-hidden=true])").count() == 0


@pytest.mark.usefixtures("matches")
def test_a_board_outside_the_viewport_is_not_drawn(open_page: Open) -> None:
    page = live_boards_page(open_page, viewport=(360, 500))
    page.wait_for_timeout(1000)  # boards below have their data but must not be drawn
    drawn = page.evaluate(
        "[...document.querySelectorAll('.live-board')].map((one) => one.querySelectorAll('.live-board-piece').length)"
    )
    assert drawn[0] > 0
    assert drawn[-1] == 0
    page.locator(".live-board").last.scroll_into_view_if_needed()
    page.locator(".live-board:last-of-type .live-board-piece").first.wait_for(state="attached")


@pytest.mark.usefixtures("matches")
def test_tv_shows_the_best_match_and_switches_when_it_ends(site: Site, open_page: Open) -> None:
    page = open_page("/tv/")
    stage = page.locator("[data-part=stage]")
    page.locator(".tv-page-board .bd-grid").wait_for(state="attached")
    assert [size for size in SIZES if sideways_at(page, size)] == []
    shown = stage.get_attribute("data-match")
    assert page.locator(f".tv-page-queue [data-match='{shown}']").count() == 0
    assert site.ask(ENDED.format(pk=shown)) == "over"
    page.locator("[data-part=stage][data-status=over]").wait_for(state="attached")
    page.locator(f"[data-part=stage][data-status=live]:not([data-match='{shown}'])").wait_for(timeout=60_000)


def test_the_overlay_is_transparent_and_recovers_after_an_outage(
    site: Site, open_page: Open, matches: list[str]
) -> None:
    page = open_page(f"/match/{matches[0]}/overlay/?board=1", viewport=(1920, 1080))
    page.locator(".ov:not(.is-waiting) .ov-name bdi:not(:empty)").first.wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
        1920,
        1080,
    ]
    assert page.locator("header, footer, a, button:visible").count() <= page.locator(".bd-grid button").count()
    page.context.set_offline(True)
    version = site.ask(PLAYED.format(pk=matches[0]))
    assert version > 0
    headline = page.locator("[data-part=headline]").text_content()
    page.wait_for_timeout(500)  # it receives nothing
    page.context.set_offline(False)
    page.wait_for_function(CHANGED, arg=["[data-part=headline]", headline], timeout=60_000)


@pytest.mark.usefixtures("matches")
def test_live_boards_and_tv_are_accessible(open_page: Open) -> None:
    axe.source()
    for path, ready in (("/wall/", ".live-board .live-board-piece"), ("/tv/", ".tv-page-board .bd-grid")):
        page = open_page(path, reduced_motion="reduce")
        page.locator(ready).first.wait_for(state="attached")
        assert axe.sweep(page) == []


@pytest.fixture(scope="module")
def tournament(site: Site) -> tuple[str, list[str]]:
    """A tournament in its first round, all four boards in play."""
    made, playing = site.ask(STAGE)
    return made, playing


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (360, 740)])
def test_the_boards_of_a_tournament_fit_on_the_screen(
    tournament: tuple[str, list[str]], open_page: Open, size: tuple[int, int]
) -> None:
    made, playing = tournament
    page = open_page(f"/tournaments/{made}/boards/", viewport=size)
    page.locator(".live-board .live-board-piece").first.wait_for(state="attached")
    assert page.locator(".live-board").count() == len(playing) == 4
    assert page.locator(".live-board-table").first.text_content() == "1-1 · Quarter-finals"
    assert page.locator(".live-board-table:not(:empty)").count() == len(playing)
    assert not layout.scrolls_sideways(page)
    if size[0] > 1000:
        assert page.evaluate("document.documentElement.scrollHeight") == size[1]
        foot = page.locator("#tournament-live-boards").bounding_box()
        for figure in page.locator(".live-board").all():
            box = figure.bounding_box()
            assert box["y"] >= foot["y"] - 1
            assert box["y"] + box["height"] <= foot["y"] + foot["height"] + 1
            assert box["width"] > size[0] / 5  # large enough to be seen from the tables
