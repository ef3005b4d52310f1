"""A phone beside the board as match clock: a match to its result, with a reload and without a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e import axe
from tests.e2e.director import members, sign_in
from tests.e2e.layout import SHIFTS, scrolls_sideways, small_targets
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.timeout(900)]

expect.set_options(timeout=60_000)  # a busy machine is ten times slower

Open = Callable[..., Any]
SHIFTED = "() => window.shifts.filter(([value]) => value > 0.001)"
STAGED = """
from accounts.models import User
from tests.tournaments.staging import staged
from tournaments.models import Official
people = tuple(User.objects.get(username=name) for name in {players!r})
made = staged("knockout", 2, people=people, venue="board", lengths=(3,))
Official.objects.get_or_create(tournament=made, user=User.objects.get(username={director!r}), role="director")
answer = made.pk
"""


def record(page: Any, winner: str, *, cube: int = 1, level: int = 1) -> None:
    """Record a game in the score sheet."""
    page.locator("[data-press=sheet]").click()
    sheet = page.locator("#clock-sheet")
    sheet.locator("label.chip", has_text=winner).click()
    sheet.locator(f"label.chip:has(input[name=cube][value='{cube}'])").click()
    sheet.locator(f"label.chip:has(input[name=level][value='{level}'])").click()
    sheet.locator("[data-part=record]").click()


def test_a_match_is_timed_scored_and_reported_from_a_phone(site: Site, open_page: Open) -> None:
    ana, bea, dora = (site.name(name) for name in ("ana", "bea", "dora"))
    sessions = members(site, ana, bea, dora)
    tournament = site.ask(STAGED.format(players=[ana, bea], director=dora))
    page = open_page(viewport=(360, 740), has_touch=True, is_mobile=True, reduced_motion="reduce")
    sign_in(page, sessions[ana])
    page.add_init_script(SHIFTS)
    page.goto(f"/tournaments/{tournament}/")
    page.locator("#clock-main-1-1").click()
    near, far = page.locator("[data-half=near]"), page.locator("[data-half=far]")
    expect(near.locator("[data-part=time]")).to_have_text("6:00")

    page.locator("[data-press=settings]").click()  # the times are changed before the start
    page.locator("input[name=delay]").fill("0")
    page.locator("#clock-settings button[type=submit]").click()
    far.tap()
    expect(near).to_have_class("clock-half clock-near is-running")
    expect(near.locator("[data-part=time]")).to_have_text("5:59")
    page.keyboard.press(" ")
    expect(far).to_have_class("clock-half clock-far is-running")
    page.locator("[data-press=undo]").click()
    expect(near).to_have_class("clock-half clock-near is-running")
    assert page.evaluate(SHIFTED) == []
    page.reload()  # nothing is lost
    expect(near).to_have_class("clock-half clock-near is-running")
    page.locator("[data-press=pause]").click()
    expect(page.locator("[data-part=status]")).to_have_text("Paused")

    page.context.set_offline(True)
    record(page, ana, cube=2)
    expect(page.locator("[data-part=note]")).to_have_text("Match to 3 · Crawford game")
    record(page, bea, level=2)
    expect(page.locator("[data-part=note]")).to_have_text("Match to 3 · post-Crawford")
    assert page.evaluate(SHIFTED) == []
    for width, height in ((360, 740), (740, 360), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert not scrolls_sideways(page)
        assert small_targets(page) == []
        assert page.evaluate("() => document.documentElement.scrollHeight <= window.innerHeight")
    page.set_viewport_size({"width": 360, "height": 740})
    record(page, bea)
    report = page.locator("[data-press=report]")
    report.click()
    expect(page.locator("[data-part=answer]")).to_contain_text("No connection. The score is kept on this device")
    page.context.set_offline(False)
    report.click()
    expect(page.locator("[data-part=answer]")).to_have_text("Result reported. It counts as soon as it is confirmed.")
    assert axe.sweep(page) == []
    page.reload()
    expect(page.locator("[data-part=status]")).to_have_text("Result reported.")
    assert axe.sweep(page) == []

    desk = open_page(reduced_motion="reduce")
    sign_in(desk, sessions[dora])
    desk.goto(f"/tournaments/{tournament}/desk/")
    expect(desk.locator("#row-main-1-1 .badge-warn")).to_have_text("reported")
    opponent = open_page(reduced_motion="reduce")
    sign_in(opponent, sessions[bea])
    opponent.goto(f"/tournaments/{tournament}/")
    expect(opponent.locator("#mine .report-status")).to_contain_text(f"{bea} won 3–2.")
    opponent.locator("#mine form[action$='/confirm/'] button").click()
    expect(opponent.locator("#mine")).to_contain_text("1")
    sql = "select data from tournaments_tournamentevent where kind = 'result' and tournament_id = ?"
    assert '"points": [2, 3]' in site.rows(sql, tournament)[0][0]


def test_a_director_enters_the_result_and_a_late_report_is_refused_in_words(site: Site, open_page: Open) -> None:
    ana, bea, dora = (site.name(name) for name in ("ana", "bea", "dora"))
    sessions = members(site, ana, bea, dora)
    tournament = site.ask(STAGED.format(players=[ana, bea], director=dora))
    page, late = open_page(reduced_motion="reduce"), open_page(reduced_motion="reduce")
    for each, name in ((page, dora), (late, ana)):
        sign_in(each, sessions[name])
        each.goto(f"/tournaments/{tournament}/clock/main-1-1/")
    record(page, ana, cube=2, level=2)
    page.locator("[data-press=report]").click()
    expect(page.locator("[data-part=answer]")).to_contain_text(f"{ana} won 4–0.")
    record(late, bea, cube=2, level=2)
    late.locator("[data-press=report]").click()
    expect(late.locator("[data-part=answer]")).to_have_text("The tournament is over.")
    expect(late.locator("[data-part=sheet-score]")).to_have_text(f"{ana} 0 – 4 {bea}")
    expect(late.locator("[data-press=report]")).to_be_enabled()
    page.get_by_role("link", name="Go to the tournament").click()
    expect(page.locator(".champion strong")).to_have_text(ana)
