"""The director's desk in browsers: results typed and clicked, two directors, a lost connection. Nothing reloads."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e import axe
from tests.e2e.director import members, sign_in
from tests.e2e.layout import scrolls_sideways, small_targets
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.timeout(900)]

expect.set_options(timeout=60_000)  # a busy machine is ten times slower

Open = Callable[..., Any]
TYPED_IN = 120  # seconds for thirty results, typed by a person at 25 ms a key
STAGED = """
from accounts.models import User
from tests.tournaments.staging import staged
from tournaments import services
from tournaments.models import Official
made = staged("knockout", {players}, online=0, venue="board")
for name in {directors!r}:
    Official.objects.get_or_create(tournament=made, user=User.objects.get(username=name), role="director")
answer = made.pk
"""


def desks(site: Site, open_page: Open, players: int, *names: str) -> tuple[str, list[Any]]:
    """A knockout of walk-ins, and its desk for each of these directors: its id and the pages."""
    directors = [site.name(name) for name in names]
    sessions = members(site, *directors)
    tournament = site.ask(STAGED.format(players=players, directors=directors))
    pages = []
    for director in directors:
        page = open_page(reduced_motion="reduce")
        sign_in(page, sessions[director])
        page.goto(f"/tournaments/{tournament}/desk/")
        expect(page.locator("#result-line")).to_be_visible()
        page.evaluate("() => { window.stays = true; }")
        pages.append(page)
    return str(tournament), pages


def type_result(page: Any, line: str) -> None:
    page.keyboard.type(line)
    page.keyboard.press("Enter")


def results(site: Site, tournament: str) -> int:
    sql = "select count(*) from tournaments_tournamentevent where kind = 'result' and tournament_id = ?"
    return int(site.rows(sql, tournament)[0][0])


def sent(page: Any, status: str) -> Any:
    return page.locator(f".desk-sent-{status}")


def hold_next_page(page: Any) -> list[Any]:
    """Hold back the answer to the next time this desk asks for itself; the list has it once the server has answered."""
    held: list[Any] = []
    page.route("**/desk/", lambda route: held.append((route, route.fetch())), times=1)
    return held


def shown_version(page: Any) -> int:
    return int(page.locator("#tournament-live [data-version]").first.get_attribute("data-version"))


def let_go(page: Any, held: list[Any]) -> None:
    """Deliver the page that was held back, wait until the desk has read it, and see that it does not go back to it."""
    route, answer = held.pop()
    before = shown_version(page)
    with page.expect_response("**/desk/") as delivered:
        route.fulfill(response=answer)
    delivered.value.finished()
    page.wait_for_timeout(100)
    assert shown_version(page) >= before


def test_thirty_results_are_typed_in_two_minutes_without_a_reload(site: Site, open_page: Open) -> None:
    tournament, (dora,) = desks(site, open_page, 64, "dora")
    dora.locator("#result-line-input").focus()
    begun = monotonic()
    for number in range(1, 31):
        dora.keyboard.type(f"{number} 7-{number % 7}", delay=25)
        dora.keyboard.press("Enter")
    expect(sent(dora, "waiting")).to_have_count(0, timeout=3 * TYPED_IN * 1000)
    seconds = monotonic() - begun
    print(f"thirty results in {seconds:.1f} s")
    assert results(site, tournament) == 30
    assert seconds < 3 * TYPED_IN  # the promise, and what a busy machine adds
    assert dora.evaluate("() => window.stays"), "the page was not loaded again"
    expect(dora.locator("#result-line-input")).to_be_focused()
    expect(dora.locator("#rounds .desk-table")).to_have_count(2 + 15, timeout=60_000)


def test_a_result_is_completed_clicked_undone_refused_and_typed_again(site: Site, open_page: Open) -> None:
    tournament, (dora,) = desks(site, open_page, 8, "dora")
    line = dora.locator("#result-line-input")
    line.focus()
    dora.keyboard.type("walk-in 1")
    assert dora.locator("#result-line-meanings li").all_inner_texts() == [
        "1-1: \N{FIRST STRONG ISOLATE}Walk-in 1\N{POP DIRECTIONAL ISOLATE} beats "
        "\N{FIRST STRONG ISOLATE}Walk-in 8\N{POP DIRECTIONAL ISOLATE}, score unknown"
    ]
    assert axe.sweep(dora, within="#result-line") == []
    dora.keyboard.press("Tab")
    expect(line).to_have_value("1-1 Walk-in 1 ")
    type_result(dora, "9-2")
    expect(sent(dora, "saved").first).to_contain_text("1-1: Walk-in 1 won 9–2.")
    expect(sent(dora, "saved").first.locator(".number")).to_have_text("9–2")  # which no narrow line breaks

    expect(dora.locator("#result-main-1-1")).to_be_visible()
    type_result(dora, "1-1 7-4")  # it has a result already
    expect(dora.locator("#result-line-status")).to_contain_text("entered it at")
    expect(dora.locator("#result-line-status a")).to_have_text("Correct it")
    line.fill("")
    type_result(dora, "2 5-3")  # no such score in a match to 7
    expect(dora.locator("#result-line-status")).to_contain_text("In a match to 7, the winner has at least 7 points")
    expect(line).to_have_value("2 5-3")
    line.fill("")
    type_result(dora, "nobody 7-1")
    expect(dora.locator("#result-line-status")).to_contain_text("No open match fits.")
    line.fill("")

    late = hold_next_page(dora)
    dora.locator("#row-main-1-2 .desk-wins").first.click()  # one click: the score is not known
    expect(sent(dora, "saved").first).to_contain_text("1-2: Walk-in 4 won.")
    while not late:
        dora.wait_for_timeout(50)
    sent(dora, "saved").first.get_by_role("button").click()
    expect(dora.locator("#result-line-status")).to_contain_text("Undone:")
    let_go(dora, late)  # it shows the result that is undone by now
    expect(dora.locator("#row-main-1-2 .desk-wins").first).to_be_visible()
    dora.locator("#row-main-1-2 [data-lost]").fill("5")
    dora.locator("#row-main-1-2 .desk-wins").last.click()
    expect(sent(dora, "saved").first).to_contain_text("1-2: Walk-in 5 won 7–5.")
    assert dora.evaluate("() => window.stays")
    for width in (360, 768):
        dora.set_viewport_size({"width": width, "height": 740})
        assert not scrolls_sideways(dora)
    assert small_targets(dora) == []
    assert results(site, tournament) == 3


def test_two_directors_and_a_lost_connection(site: Site, open_page: Open) -> None:
    tournament, (dora, carlos) = desks(site, open_page, 8, "dora", "carlos")
    dora.locator("#announcement").fill("Lunch at two")
    dora.locator("#announcement").focus()
    carlos.locator("#result-line-input").focus()
    type_result(carlos, "1 7-1")
    expect(dora.locator("#result-main-1-1")).to_be_visible(timeout=60_000)  # while dora writes
    expect(dora.locator("[data-part=news]")).to_have_text("1 new result")
    expect(dora.locator("#announcement")).to_have_value("Lunch at two")
    expect(dora.locator("#announcement")).to_be_focused()

    dora.context.set_offline(True)
    dora.locator("#result-line-input").focus()
    type_result(dora, "2 7-2")
    type_result(dora, "3 7-3")
    expect(sent(dora, "waiting")).to_have_count(2)
    expect(dora.locator("[data-part=connection]")).to_contain_text("2 results are kept in this browser")
    type_result(carlos, "2 3-7")
    expect(sent(carlos, "saved").first).to_contain_text("1-2: Walk-in 5 won 7–3.")

    dora.context.set_offline(False)
    expect(sent(dora, "waiting")).to_have_count(0, timeout=60_000)
    expect(sent(dora, "saved")).to_have_count(1)
    refused = sent(dora, "refused")
    expect(refused).to_contain_text("This match already has a result.")
    expect(refused).to_contain_text("1-2: Walk-in 5 won 7–3.")
    expect(refused.get_by_role("link", name="Correct it")).to_have_attribute(
        "href", f"/tournaments/{tournament}/desk/correct/?key=main-1-2"
    )
    expect(dora.locator("[data-part=connection]")).to_be_hidden()
    assert results(site, tournament) == 3
    assert dora.evaluate("() => window.stays")


def test_the_desk_stays_busy_while_a_form_is_on_its_way_and_another_director_writes(
    site: Site, open_page: Open
) -> None:
    _, (dora, carlos) = desks(site, open_page, 8, "dora", "carlos")
    held: list[Any] = []
    dora.route("**/desk/announce/", lambda route: held.append(route))
    dora.locator("#announcement").fill("Lunch at two")
    dora.locator("form[action$='/desk/announce/'] button").click()
    expect(dora.locator("#tournament-live")).to_have_attribute("aria-busy", "true")
    carlos.locator("#result-line-input").focus()
    type_result(carlos, "1 7-1")
    expect(dora.locator("#result-main-1-1")).to_be_visible()
    expect(dora.locator("#tournament-live")).to_have_attribute("aria-busy", "true")
    for route in held:
        route.continue_()
    expect(dora.locator("#tournament-live")).not_to_have_attribute("aria-busy", "true")
    assert len(held) == 1
    assert dora.evaluate("() => window.stays")


def test_the_pages_around_the_desk_are_accessible(site: Site, open_page: Open) -> None:
    tournament, (dora,) = desks(site, open_page, 4, "dora")
    assert axe.sweep(dora) == []
    dora.goto(f"/tournaments/{tournament}/desk/entrants/list/")
    assert axe.sweep(dora, within="main") == []
    dora.goto("/tournaments/new/")
    for summary in dora.locator(".form-more > summary").all():
        summary.click()
    assert axe.sweep(dora, within="main") == []
