"""Pages meet WCAG 2.2 AA according to axe-core, in light and dark, at phone and desktop size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.seats import against_the_computer, guest, play_on, two_in_a_match
from tests.e2e.table import sign_up
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks]

Open = Callable[..., Any]
REPORTED = """
from accounts.models import Club, Membership, User
from chat.models import Case
from chat.services.reports import report_make
dora, bea = (User.objects.get(username=name) for name in {names!r})
club = Club.objects.get(is_default=True)
Membership.objects.update_or_create(club=club, user=dora, defaults={{"role": "director"}})
carlos = User.objects.create_user({rude!r})
report_make(by=bea, about=carlos, reason="rude", words="He shouts when he loses.")
answer = Case.objects.latest("pk").pk
"""

DAILY_PUZZLE = """
from accounts.models import User
from analysis.services import daily_puzzles, tallies
from tests.analysis.cards import play, played, report_of
ana, bea = (User.objects.create_user(name) for name in {names!r})
report = report_of(played(ana, bea), play(4, "white", loss=0.1), play(6, "black", loss=0.05))
tallies.report_count(report_id=report.pk)
daily_puzzles.daily_pick(day=daily_puzzles.today())
answer = None
"""


def violations_of(page: Any, *paths: str) -> list[str]:
    found = []
    for path in paths:
        page.goto(path)
        found += axe.sweep(page)
    return found


@pytest.fixture(autouse=True)
def _axe() -> None:
    axe.source()


def test_pages_for_visitors_are_accessible(site: Site, open_page: Open) -> None:
    site.ask(DAILY_PUZZLE.format(names=[site.name("ana"), site.name("bea")]))
    sign_in_pages = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/")
    assert violations_of(open_page(), "/", "/daily/", *sign_in_pages, "/players/", "/nothing-here/") == []


def test_a_form_with_errors_is_accessible(site: Site, open_page: Open) -> None:
    page = open_page("/accounts/login/")
    page.locator("#id_login").fill("nobody")
    page.locator("#id_password").fill("wrong")
    page.locator("main form button[type=submit]").first.click()
    page.locator(".errors").first.wait_for()
    assert axe.sweep(page) == []


def test_pages_for_guests_are_accessible(site: Site, open_page: Open) -> None:
    player = guest(open_page())
    assert violations_of(player.page, "/", "/settings/", "/settings/board/") == []


def test_pages_for_members_are_accessible(site: Site, open_page: Open) -> None:
    page, name = open_page(), site.name("ana")
    sign_up(page, name)
    assert violations_of(page, "/", "/settings/", "/history/", f"/players/{name}/", "/accounts/password/change/") == []
    page.locator("#account-menu > summary").click()
    assert axe.sweep(page, within="#account-menu") == []


def test_security_pages_are_accessible(site: Site, open_page: Open) -> None:
    page = open_page()
    sign_up(page, site.name("ana"))
    mfa_pages = ("/accounts/2fa/", "/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/add/")
    assert violations_of(page, "/settings/security/", *mfa_pages, "/settings/programs/") == []


def test_report_and_moderation_pages_are_accessible(site: Site, open_page: Open) -> None:
    dora, bea = open_page(), open_page()
    names = [site.name(name) for name in ("dora", "bea")]
    for page, name in zip((dora, bea), names, strict=True):
        sign_up(page, name)
    rude = site.name("carlos")
    case = site.ask(REPORTED.format(names=names, rude=rude))
    assert violations_of(bea, f"/report/?player={rude}", "/reports/", "/reports/about-me/") == []
    assert violations_of(dora, "/moderation/", f"/moderation/{case}/", "/moderation/log/") == []


def test_a_live_match_is_accessible(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(), open_page())
    mover, _ = play_on([ana, bea], until=lambda player, state: "move" in state["may"])
    page = mover.sit()
    page.locator("[data-do=done]:visible").wait_for()
    assert axe.sweep(page) == []
    page.locator("[data-do=text]").click()
    assert axe.sweep(page, within=".bd") == []
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    assert axe.sweep(page, within="dialog[open]") == []
    page.keyboard.press("Escape")
    page.locator("[data-do=resign]").click()
    page.locator("dialog[open]").wait_for()
    assert axe.sweep(page, within="dialog[open]") == []

    watcher = open_page(f"/match/{mover.match_id}/")
    watcher.locator("[data-part=headline]:not(:empty)").wait_for()
    assert axe.sweep(watcher) == []


def test_a_double_and_the_end_of_a_match_are_accessible(site: Site, open_page: Open) -> None:
    ana, bea = two_in_a_match(open_page(), open_page())
    doubler, _ = play_on([ana, bea], until=lambda player, state: "double" in state["may"])
    doubler.act("double")
    taker = bea if doubler is ana else ana
    page = taker.sit()
    page.locator("[data-act=take]:visible").wait_for()
    assert axe.sweep(page) == []
    doubler.act("resign match")
    page.locator("dialog[open] [data-part=result-title]").wait_for()
    assert axe.sweep(page, within="dialog[open]") == []


def test_the_replay_of_a_match_is_accessible(site: Site, open_page: Open) -> None:
    player = against_the_computer(open_page())
    play_on([player], until=lambda _, state: state["version"] > 4)
    player.act("resign match")
    page = player.sit()
    page.keyboard.press("ArrowRight")
    assert axe.sweep(page) == []
    assert violations_of(page, "/history/", "/") == []
