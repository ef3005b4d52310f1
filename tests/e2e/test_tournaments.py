"""Whole tournaments in browsers: directed, reported and confirmed, to the end."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.director import FormPlayer, create_by_form, members, sides_in, sign_in, unfold_settings, visitor
from tests.e2e.layout import scrolls_sideways
from tools.load.html_forms import forms_of
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.timeout(900)]

Open = Callable[..., Any]


def create_knockout(dora: Any, name: str) -> str:
    """dora creates a knockout from the first preset; return the path of its page."""
    dora.goto("/tournaments/")
    dora.locator("main a[href$='/tournaments/new/']").first.click()
    dora.locator("#id_name").fill(name)
    terms = dora.locator("#tournament-terms").element_handle()
    dora.locator("#id_variant").select_option("hypergammon")
    dora.wait_for_function("terms => !terms.isConnected", arg=terms)  # the terms of the other game are loaded
    dora.locator("#tournament-terms input[name=lengths]").fill("1")
    unfold_settings(dora)
    dora.locator("label", has=dora.locator("input[name=venue][value=both]")).click()
    with dora.expect_navigation():
        dora.locator(".tournament-form button[type=submit]").click()
    assert dora.locator("ul.errors li").all_inner_texts() == []
    assert dora.url.endswith("/desk/")
    return str(re.sub(r".*(/tournaments/\w+/)desk/", r"\1", dora.url))


def seat_first(dora: Any, *names: str) -> None:
    """Seed these players first."""
    dora.locator("#seeds").click()
    for place, name in enumerate(names, 1):
        dora.get_by_label(name, exact=True).fill(str(place))
    dora.locator("#seeding button[value=hand]").click()
    dora.locator(".message").wait_for()
    dora.locator("main a").first.click()
    dora.locator("#tournament-live").wait_for()


def report(page: Any, path: str, winner: str) -> None:
    """Report in the browser that a match ended 1-0."""
    page.goto(path)
    page.locator("#mine details.next-report > summary").click()
    form = page.locator("#mine form[action$='/report/']")
    form.locator("label.chip", has_text=winner).click()
    form.locator("input[name=lost]").fill("0")
    form.locator("button[type=submit]").click()
    page.locator("#mine .report-status").wait_for()


def confirm(page: Any, path: str) -> None:
    page.goto(path)
    with page.expect_navigation():
        page.locator("#mine form[action$='/confirm/'] button").click()


def test_eight_players_play_a_knockout_with_a_consolation(site: Site, open_page: Open) -> None:
    names = [site.name(name) for name in ("ana", "bea", "carlos", "elena", "fabio", "gina", "hugo", "iris")]
    director = site.name("dora")
    sessions = members(site, director, *names)
    ana, bea = names[:2]
    pages = {name: open_page(reduced_motion="reduce") for name in (ana, bea, director)}
    for name, page in pages.items():
        sign_in(page, sessions[name])
    dora = pages[director]
    path = create_knockout(dora, "Thursday in autumn")

    for name in (ana, bea):
        pages[name].goto(path)
        pages[name].locator("#enter").click()
        pages[name].locator("#here").click()
        pages[name].locator("#leave").wait_for()
    others = [FormPlayer(site, name, sessions[name], path, names) for name in names[2:]]
    for other in others:
        assert other.send("/enter/")
        assert other.send("/here/")
    dora.goto(f"{path}desk/")
    seat_first(dora, ana, bea)
    dora.locator("form[action$='/desk/start/'] button").click()
    dora.locator("#rounds").wait_for()

    for round_ in (1, 2):  # ana reports and her opponent confirms; bea's opponent reports and she confirms
        report(pages[ana], path, ana)
        if round_ == 1:
            assert axe.sweep(pages[ana]) == []
            dora.goto(f"{path}desk/")
            assert axe.sweep(dora) == []
        while sum(other.step(leave_to=[ana]) for other in others):
            if "confirm" in str(forms_of(pages[bea].context.request.get(path).text())):
                confirm(pages[bea], path)

    report(pages[ana], path, ana)  # the final, in which bea confirms
    dora.goto(path)
    confirm(pages[bea], path)
    for page in pages.values():  # without a reload
        page.locator(".champion strong", has_text=ana).wait_for()

    page = pages[ana]
    assert page.locator("#finish li").count() == 8
    assert page.locator("#finish li").first.locator("bdi").inner_text() == ana
    assert page.locator(".bracket").count() == 2, "the main bracket and the consolation"
    assert page.locator(".pairing.is-done").count() == 10
    assert page.locator(".pairing.is-ready, .pairing.is-waiting, .pairing.is-live").count() == 0
    page.set_viewport_size({"width": 360, "height": 740})
    assert not scrolls_sideways(page)
    kinds = site.rows(
        "select e.kind, count(*) from tournaments_tournamentevent e where e.tournament_id = ? group by e.kind",
        path.split("/")[2],
    )
    assert dict(kinds) | {"registered": 8, "checked_in": 8, "reported": 10, "result": 10, "finished": 1} == dict(kinds)


def test_nine_walk_ins_play_four_rounds_of_a_swiss(site: Site, open_page: Open) -> None:
    director = site.name("dora")
    session = members(site, director)[director]
    dora = visitor(site, session)
    path = create_by_form(dora, "swiss", name="Nine by the fire", lengths="3", venue="board")
    desk = f"{path}desk/"

    def send(action: str, **more: str) -> None:
        dora.send(forms_of(dora.get(desk)[1], action)[0], desk, **more)

    players = [f"Player {number}" for number in range(1, 10)]
    for name in players:
        send("/entrants/add/", name=name)
    send("/desk/start/")
    met: set[frozenset[str]] = set()
    for round_ in range(1, 5):
        send("/desk/round/")
        page = dora.get(desk)[1]
        pairs = forms_of(page, "/desk/result/")
        assert len(pairs) == 4, f"round {round_}: four pairs and a bye"
        for number, form in enumerate(pairs):
            dora.send(
                form, desk, how="played", winner=form.choices["winner"][number % 2], won="3", lost=str(number % 3)
            )
        both = re.findall(r'class="desk-winner">(.*?)</div>', page, re.DOTALL)
        assert len(both) == 4
        met |= {frozenset(sides_in(pair)) for pair in both}
        assert len(met) == 4 * round_, "nobody meets twice"

    page = open_page(path)
    assert page.locator(".champion strong").inner_text() in players
    for table in ("table.standings:not(.grid)", "table.grid"):
        assert sorted(page.locator(f"{table} tbody .standings-name bdi").all_inner_texts()) == players
    assert page.locator(".round-block:has(.pairing)").count() == 4
    assert page.locator(".pairing.is-done").count() == 16
    assert page.locator(".pairing.is-bye").count() == 4
    assert axe.sweep(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert not scrolls_sideways(page)
