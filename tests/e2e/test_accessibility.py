"""Every page holds WCAG 2.2 AA by axe-core, in light and dark, on a phone and on a desk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import axe
from tests.e2e.seats import against_the_computer, guest, play_on, two_at_a_table
from tests.e2e.table import sign_up
from tests.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.looks]

Open = Callable[..., Any]
REPORTED = """
from accounts.models import Club, Membership, User
from talk.models import Case
from talk.services.reports import report_make
dora, bea = (User.objects.get(username=name) for name in {names!r})
club = Club.objects.get(is_default=True)
Membership.objects.update_or_create(club=club, user=dora, defaults={{"role": "director"}})
carlos = User.objects.create_user({rude!r})
report_make(by=bea, about=carlos, reason="rude", words="He shouts when he loses.")
answer = Case.objects.latest("pk").pk
"""


def wrongs_of(page: Any, *paths: str) -> list[str]:
    found = []
    for path in paths:
        page.goto(path)
        found += axe.sweep(page)
    return found


@pytest.fixture(autouse=True)
def _axe() -> None:
    axe.source()


def test_what_a_passer_by_sees(site: Site, open_page: Open) -> None:
    doors = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/")
    assert wrongs_of(open_page(), "/", *doors, "/players/", "/nothing-here/") == []


def test_a_form_that_was_filled_in_wrongly(site: Site, open_page: Open) -> None:
    page = open_page("/accounts/login/")
    page.locator("#id_login").fill("nobody")
    page.locator("#id_password").fill("wrong")
    page.locator("main form button[type=submit]").first.click()
    page.locator(".errors").first.wait_for()
    assert axe.sweep(page) == []


def test_what_a_guest_sees(site: Site, open_page: Open) -> None:
    player = guest(open_page())
    assert wrongs_of(player.page, "/", "/settings/") == []


def test_what_a_member_sees(site: Site, open_page: Open) -> None:
    page, name = open_page(), site.name("ana")
    sign_up(page, name)
    assert wrongs_of(page, "/", "/settings/", "/history/", f"/players/{name}/", "/accounts/password/change/") == []
    page.locator("#account-menu summary").click()
    assert axe.sweep(page) == []


def test_what_keeps_an_account_safe(site: Site, open_page: Open) -> None:
    page = open_page()
    sign_up(page, site.name("ana"))
    second = ("/accounts/2fa/", "/accounts/2fa/totp/activate/", "/accounts/2fa/webauthn/add/")
    assert wrongs_of(page, "/settings/security/", *second, "/settings/programs/") == []


def test_what_a_moderator_and_who_reports_see(site: Site, open_page: Open) -> None:
    dora, bea = open_page(), open_page()
    names = [site.name(name) for name in ("dora", "bea")]
    for page, name in zip((dora, bea), names, strict=True):
        sign_up(page, name)
    rude = site.name("carlos")
    case = site.ask(REPORTED.format(names=names, rude=rude))
    assert wrongs_of(bea, f"/report/?player={rude}", "/reports/", "/reports/about-me/") == []
    assert wrongs_of(dora, "/moderation/", f"/moderation/{case}/", "/moderation/log/") == []


def test_a_live_match(site: Site, open_page: Open) -> None:
    ana, bea = two_at_a_table(open_page(), open_page())
    mover, _ = play_on([ana, bea], until=lambda player, state: "move" in state["may"])
    page = mover.sit()
    page.locator("[data-do=done]:visible").wait_for()
    assert axe.sweep(page) == []
    page.locator("[data-do=text]").click()
    assert axe.sweep(page) == []
    page.locator("[data-do=resign]").click()
    page.locator("dialog[open]").wait_for()
    assert axe.sweep(page) == []

    watcher = open_page(f"/match/{mover.match_id}/")
    watcher.locator("[data-part=headline]:not(:empty)").wait_for()
    assert axe.sweep(watcher) == []


def test_a_double_to_answer_and_a_match_that_ends(site: Site, open_page: Open) -> None:
    ana, bea = two_at_a_table(open_page(), open_page())
    doubler, _ = play_on([ana, bea], until=lambda player, state: "double" in state["may"])
    doubler.act("double")
    taker = bea if doubler is ana else ana
    page = taker.sit()
    page.locator("[data-act=take]:visible").wait_for()
    assert axe.sweep(page) == []
    doubler.act("resign match")
    page.locator("dialog[open] [data-part=result-title]").wait_for()
    assert axe.sweep(page) == []


def test_the_replay_of_a_match(site: Site, open_page: Open) -> None:
    player = against_the_computer(open_page())
    play_on([player], until=lambda _, state: state["version"] > 4)
    player.act("resign match")
    page = player.sit()
    page.keyboard.press("ArrowRight")
    assert axe.sweep(page) == []
    assert wrongs_of(page, "/history/", "/") == []
