"""A weekend of two tournaments in browsers: its organizer at the desks, and a player of both on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
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
STAGED = """
from datetime import UTC, datetime
from accounts.models import Club, Membership, User
from tests.tournaments.staging import terms_of
from tournaments import services
from tournaments.prizes import Purse
from tournaments.services.prizes import purse_set
dora = User.objects.get(username={dora!r})
club = Club.objects.create(name={slug!r}, slug={slug!r})
Membership.objects.create(club=club, user=dora, role="director")
answer = []
for name, hour, fee in (("Main", 10, 3000), ("Novice", 11, 1000)):
    terms = terms_of("knockout", seeding="hand", venue="board", lengths=(3,))
    at = datetime(2026, 12, 5, hour, 30, tzinfo=UTC)
    made = services.tournament_create(creator=dora, name=name, club=club, terms=terms, starts_at=at)
    purse_set(tournament_id=made.pk, user=dora, purse=Purse(fee=fee, currency="€"))
    answer.append(made.pk)
"""


def go(page: Any, button: Any) -> None:
    """Click and wait for the next page."""
    with page.expect_navigation():
        button.click()


def make_weekend(dora: Any, slug: str) -> str:
    """Make and publish a weekend of both tournaments of a club; the path of its page."""
    dora.goto(f"/weekends/new/{slug}/")
    for field, value in (("name", "Winter open"), ("first", "2026-12-05"), ("last", "2026-12-06")):
        dora.locator(f"#id_{field}").fill(value)
    go(dora, dora.get_by_role("button", name="Create weekend"))
    for box in dora.locator("#choose input[name=tournaments]").all():
        box.check(force=True)
    go(dora, dora.get_by_role("button", name="Save tournaments"))
    go(dora, dora.get_by_role("button", name="Publish"))
    found = re.search(r"(/weekends/\w+/)desk/$", dora.url)
    assert found, dora.url
    return found[1]


def share_boards(dora: Any, path: str, rooms: str) -> None:
    dora.goto(f"{path}desk/people/")
    dora.locator("#boards-rooms").fill(rooms)
    dora.locator("#boards-automatic").set_checked(True, force=True)
    go(dora, dora.get_by_role("button", name="Save boards"))


def paste(dora: Any, tournament: str, *names: str) -> None:
    """Paste a list of entrants, whose order is that of the seeds."""
    dora.goto(f"/tournaments/{tournament}/desk/entrants/list/")
    dora.locator("textarea[name=text]").fill("\n".join(names))
    go(dora, dora.get_by_role("button", name="Check the list"))
    go(dora, dora.get_by_role("button", name=f"Add {len(names)} players"))


def start(dora: Any, tournament: str) -> None:
    """Draw and start at the desk."""
    dora.goto(f"/tournaments/{tournament}/desk/")
    dora.locator("form[action$='/desk/start/'] button").click()
    expect(dora.locator("#result-line")).to_be_visible()


def rows(page: Any, title: str) -> Any:
    """The rows of a section of a weekend's page."""
    return page.locator(f"section[aria-labelledby={title}] li")


def test_a_weekend_from_its_first_day_to_the_last_fee(site: Site, open_page: Open) -> None:
    ana, bea, director, slug = (site.name(name) for name in ("ana", "bea", "dora", "winter"))
    sessions = members(site, ana, bea, director)
    main, novice = site.ask(STAGED.format(dora=director, slug=slug))
    dora = open_page(reduced_motion="reduce")
    sign_in(dora, sessions[director])
    path = make_weekend(dora, slug)
    share_boards(dora, path, "Hall 1-2")
    paste(dora, main, ana, "Paco", "Rosa", bea)
    paste(dora, novice, ana, "Nuria", "Nico", "Noa")
    start(dora, main)  # ana against bea at board 1, Paco against Rosa at board 2
    start(dora, novice)  # ana against Noa, Nuria against Nico

    dora.goto(f"{path}desk/")
    expect(rows(dora, "conflicts-title").first).to_contain_text(ana)
    expect(rows(dora, "conflicts-title").first).to_contain_text("Main, board 1 · Novice")
    assert axe.sweep(dora, within="main") == []
    dora.goto(f"/tournaments/{novice}/desk/")
    expect(dora.locator("#row-main-1-2")).to_be_visible()
    expect(dora.locator("#row-main-1-2")).not_to_contain_text("board 2")

    phone = open_page(viewport=(360, 740), has_touch=True, is_mobile=True, reduced_motion="reduce")
    sign_in(phone, sessions[ana])
    phone.goto(path)
    schedule = rows(phone, "schedule-title")
    expect(schedule).to_have_count(2)
    for entry, (time, name) in zip(schedule.all(), (("10:30", "Main"), ("11:30", "Novice")), strict=True):
        expect(entry.locator("time")).to_have_text(time)
        expect(entry).to_contain_text(name)
        expect(entry).to_contain_text("Hall")
    own = phone.locator(".weekend-now .weekend-match")
    expect(own).to_have_count(2)
    expect(own.filter(has_text=bea).locator(".weekend-board strong")).to_have_text("1")
    expect(own.filter(has_text=bea)).to_contain_text("Hall")
    expect(own.filter(has_text="Noa")).to_contain_text("no board yet")
    assert not scrolls_sideways(phone)
    assert small_targets(phone) == []
    assert axe.sweep(phone, within="main") == []

    both = dora.context.new_page()  # the desk of the other tournament, which takes the board that gets free
    both.set_default_timeout(60_000)
    both.goto(f"/tournaments/{main}/desk/")
    both.locator("#result-line-input").focus()
    both.keyboard.type("2 3-1")
    both.keyboard.press("Enter")
    expect(both.locator(".desk-sent-saved").first).to_contain_text("1-2: Paco won 3–1.")
    expect(dora.locator("#row-main-1-2 .desk-board")).to_contain_text("2")
    expect(dora.locator("#row-main-1-1 .desk-board")).to_have_count(0)

    dora.goto(f"{path}desk/fees/")
    assert dora.locator(".figures dd").all_inner_texts() == ["7", "160 €", "–"]
    payer = dora.locator(".weekend-payer", has_text=ana)
    go(dora, payer.get_by_role("button", name="Has paid 40 €"))
    expect(dora.locator(".weekend-payer", has_text=ana).locator(".badge-good")).to_have_text("Paid · 40 €")
    expect(dora.locator(".figures dd")).to_have_text(["6", "120 €", "40 €"])
