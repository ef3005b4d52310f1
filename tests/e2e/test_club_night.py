"""A weekly club tournament in browsers: players on phones, a director, and the TV page.

dora works on a phone with the forms of the director's desk; the TV page is opened once and updates itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TooLate
from playwright.sync_api import expect

from tests.e2e.director import FormPlayer, act, members, sign_in, unfold_settings
from tests.e2e.layout import scrolls_sideways
from tests.e2e.seats import Player, play_on
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900), pytest.mark.looks]

Open = Callable[..., Any]
PHONE = (360, 740)
LONG = 60_000  # ms: a busy machine is ten times slower
CLUB = """
from accounts.models import Club, Membership, User
made = Club.objects.create(name={name!r}, slug={slug!r})
Membership.objects.create(club=made, user=User.objects.get(username={dora!r}), role="director")
answer = made.slug
"""


@dataclass
class Phones:
    """The players' phones: one browser context each, opened when needed."""

    open_page: Open
    sessions: dict[str, str]
    path: str = ""

    @contextmanager
    def of(self, name: str, path: str = "") -> Iterator[Any]:
        page = self.take(name, path)
        yield page
        page.context.close()

    def take(self, name: str, path: str = "") -> Any:
        page = self.open_page(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
        sign_in(page, self.sessions[name])
        page.goto(path or self.path)
        return page

    def enter(self, name: str) -> None:
        with self.of(name) as page:
            go(page, page.locator("#enter"))
            go(page, page.locator("#here"))
            page.locator("#leave").wait_for()

    def report(self, name: str, winner: str, lost: int) -> None:
        with self.of(name) as page:
            if page.locator("details.next-report").count():
                page.locator("details.next-report > summary").click()
            form = page.locator("#mine form[action$='/report/']")
            form.locator("label.chip", has_text=winner).click()
            form.locator("input[name=lost]").fill(str(lost))
            go(page, form.locator("button[type=submit]"))
            page.locator("#mine .report-status").wait_for()

    def confirm(self, name: str) -> None:
        with self.of(name) as page:
            go(page, page.locator("#mine form[action$='/confirm/'] button"))


def go(page: Any, button: Any) -> None:
    """Click and wait for the next page."""
    with page.expect_navigation():
        button.click()


class DirectorsDesk:
    """The director's desk on dora's phone."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.path = ""

    def look(self) -> None:
        self.page.goto(f"{self.path}desk/")

    def expect_message(self, text: str) -> None:
        """Wait for a message after the last action."""
        expect(self.page.locator(".message", has_text=text)).to_be_visible(timeout=LONG)

    def make_template(self, slug: str) -> None:
        page = self.page
        page.goto(f"/clubs/{slug}/nights/")
        go(page, page.locator("a", has_text="Create a template"))
        page.locator("#id_name").fill("Weekly club tournament")
        terms = page.locator("#tournament-terms").element_handle()
        page.locator("#id_variant").select_option("hypergammon")
        page.wait_for_function("terms => !terms.isConnected", arg=terms)  # the terms of the other game are loaded
        page.locator("#tournament-terms input[name=lengths]").fill("3, 3, 1")
        page.locator("#tournament-terms details > summary").first.click()
        page.locator("#id_side_lengths").fill("1")
        unfold_settings(page)
        page.locator("label", has=page.locator("input[name=venue][value=both]")).click()
        go(page, page.locator(".tournament-form button[type=submit]"))
        self.expect_message("Template Weekly club tournament saved.")

    def begin_season(self, slug: str) -> str:
        """A season of this year; its path."""
        page = self.page
        page.goto(f"/seasons/new/{slug}/")
        page.locator("#id_name").fill("This year")
        page.locator("#id_first").fill("2026-01-01")
        page.locator("#id_last").fill("2099-12-31")
        page.locator("#id_points").fill("10 7 5 5")
        go(page, page.locator("main form button[type=submit]").first)
        return path_of(page)

    def open_tournament(self, slug: str, name: str) -> None:
        page = self.page
        page.goto(f"/clubs/{slug}/nights/")
        go(page, page.locator("a", has_text="Use template"))
        page.locator("#id_name").fill(name)
        go(page, page.locator(".tournament-form button[type=submit]"))
        assert page.locator("ul.errors li").all_inner_texts() == []
        self.path = path_of(page).removesuffix("desk/")

    def seat(self, names: list[str]) -> None:
        """Seed the players in this order."""
        page = self.page
        page.locator("#seeds").click()
        for place, name in enumerate(names, 1):
            page.get_by_label(name, exact=True).fill(str(place))
        page.locator("#seeding button[value=hand]").click()
        page.locator(".message").wait_for()
        self.look()

    def press(self, action: str) -> None:
        """The one button of this form."""
        act(self.page, self.page.locator(f"form[action$='/desk/{action}/'] button").first)

    def show(self, task: str) -> None:
        """Show a task of the desk; a phone shows one at a time."""
        self.page.locator(f".desk-tabs a[href='#{task}']").click()

    def late(self, name: str, points: int) -> None:
        page = self.page
        self.show("players")
        page.locator("#late > summary").click()
        page.locator("#late-name").fill(name)
        page.locator("#late input[name=points]").fill(str(points))
        go(page, page.locator("#late button[type=submit]"))
        go(page, page.get_by_role("button", name=f"Yes, the member {name}"))  # no walk-in of that name
        self.expect_message("Late entry added.")
        self.show("now")

    def pairing(self, *names: str) -> Any:
        found = self.page.locator("#rounds .desk-table")
        for name in names:
            found = found.filter(has=self.page.locator(".desk-pair bdi", has_text=re.compile(f"^{name}$")))
        return found

    def table(self, *names: str) -> Any:
        """The pairing of these players, expanded."""
        self.show("now")
        found = self.pairing(*names)
        found.first.locator("summary").first.wait_for()
        if not found.first.locator("details").first.evaluate("one => one.open"):
            found.first.locator("summary").first.click()
        return found.first

    def result(self, winner: str, loser: str, lost: int = 0, *, how: str = "played", why: str = "") -> None:
        form = self.table(winner, loser).locator("form[action$='/desk/result/']").last
        form.locator("label.chip", has_text=winner).click()
        if how == "played":
            form.locator("input[name=lost]").fill(str(lost))
        if why:
            form.locator("input[name=why]").fill(why)
        act(self.page, form.locator(f"button[value={how}]"))
        self.expect_message("Result saved.")

    def penalty(self, name: str, opponent: str, points: int) -> None:
        table = self.table(name, opponent)
        table.locator("summary", has_text="Penalty points").click()
        form = table.locator("form[action$='/desk/penalty/']")
        form.locator("label.chip", has_text=name).click()
        form.locator("input[name=points]").fill(str(points))
        act(self.page, form.locator("button"))
        self.expect_message("Penalty saved.")

    def correct(self, winner: str, loser: str, lost: int, why: str) -> None:
        """Correct a result; the next page asks to confirm what it resets."""
        page = self.page
        line = page.locator("#results .row", has_text=winner).filter(has_text=loser)
        go(page, line.locator("a", has_text="Correct"))
        page.locator("label.chip", has_text=winner).click()
        page.locator("input[name=lost]").fill(str(lost))
        page.locator("input[name=why]").fill(why)
        go(page, page.locator("button[value=played]"))

    def rewrite(self, action: str, text: str) -> None:
        """Undo or redo the log entry with this text."""
        form = self.page.locator(f"form[action$='/desk/{action}/']")
        line = self.page.locator("#log .desk-event", has_text=text).filter(has=form)
        self.show("log")
        act(self.page, line.first.locator(form).locator("button"))
        if not self.page.locator(".desk-resets").count():
            self.show("now")

    def paid(self, name: str) -> None:
        self.show("players")
        row = self.page.locator("#players .row", has_text=name)
        act(self.page, row.locator("button", has_text="Paid"))

    def play_out(self, strongest: list[str]) -> None:
        """Enter results until only the final of the two strongest is left; the stronger player wins."""
        pairs = self.page.locator("#rounds .desk-table .desk-pair")
        while True:
            left = [pair.locator("bdi").all_inner_texts() for pair in pairs.all()]
            others = [two for two in left if set(two) != set(strongest[:2])]
            if not others:
                return
            two = sorted(others[0], key=strongest.index)
            self.result(*two)
            expect(self.pairing(*two)).to_have_count(0, timeout=LONG)  # the desk has fetched what changed

    def prizes(self, **values: str) -> None:
        """Enter the fee and the shares of the prizes."""
        page = self.page
        self.show("more")
        go(page, page.locator("#print-and-display a", has_text="Prizes"))
        for name, value in values.items():
            page.locator(f"#id_{name}").fill(value)
        go(page, page.locator("main form button[type=submit]"))
        self.expect_message("Prizes saved.")

    def season(self, path: str, first: str) -> Any:
        """The rows of a season once this player leads: the table is updated shortly after the end."""
        rows = self.page.locator("table.season tbody tr")
        for _ in range(30):
            self.page.goto(path)
            with suppress(TooLate):
                rows.first.filter(has_text=first).wait_for(timeout=3000)
                break
        return rows

    def resets(self) -> list[str]:
        """The pairings that would be reset."""
        lines = self.page.locator(".desk-resets .row-title").all()
        return sorted(" ".join(sorted(line.locator("bdi").all_inner_texts())) for line in lines)

    def agree(self, done: str) -> None:
        go(self.page, self.page.locator(".btn-danger"))
        self.expect_message(done)


class TvPage:
    """The TV page, which is never reloaded."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.page.evaluate("() => { window.sameScreen = true; }")

    def shows(self, panel: str, *texts: str, lines: str = "li") -> None:
        """Wait until a line of a panel has all these texts."""
        found = self.page.locator(f"[data-panel^={panel}] {lines}")
        for text in texts:
            found = found.filter(has_text=text)
        found.first.wait_for(state="attached", timeout=LONG)
        assert self.page.evaluate("() => window.sameScreen")

    def lacks(self, panel: str, *texts: str) -> None:
        found = self.page.locator(f"[data-panel^={panel}] li")
        for text in texts:
            found = found.filter(has_text=text)
        expect(found).to_have_count(0, timeout=LONG)

    def winner(self, name: str, loser: str) -> None:
        """Wait until the last results show that `name` beat `loser`."""
        line = self.page.locator("[data-panel=results] li", has_text=name).filter(has_text=loser)
        line.locator(".is-winner", has_text=name).first.wait_for(state="attached", timeout=LONG)


def path_of(page: Any) -> str:
    found = re.search(r"//[^/]+(/[^?#]*)", page.url)
    assert found
    return found[1]


NAMES = ("ana", "bea", "carlos", "elena", "fabio", "gina", "hugo", "iris", "julia", "karim", "luis")


def test_a_weekly_tournament_runs_from_the_template_to_the_season_points(site: Site, open_page: Open) -> None:
    names = [site.name(name) for name in NAMES]
    ana, bea, carlos, elena, fabio, gina, hugo, iris, julia, karim, luis = names
    dora = site.name("dora")
    sessions = members(site, dora, *names)
    slug = site.ask(CLUB.format(name="La Peña", slug=dora.replace("dora", "pena"), dora=dora))
    phones = Phones(open_page, sessions)
    desk = DirectorsDesk(phones.take(dora, "/"))

    # The tournament is created, and ten players register.
    desk.make_template(slug)
    season = desk.begin_season(slug)
    desk.open_tournament(slug, "Thursday of rain")
    phones.path = desk.path
    tv = TvPage(open_page(f"{desk.path}tv/", viewport=(1280, 720), reduced_motion="reduce"))
    for name in (ana, bea):
        phones.enter(name)
    for name in names[2:10]:
        player = FormPlayer(site, name, sessions[name], desk.path, names)
        assert player.send("/enter/")
        assert player.send("/here/")
    tv.shows("names", ana)
    tv.shows("names", karim)
    desk.look()
    desk.seat(names[:10])
    desk.press("start")
    tv.shows("now", iris, julia)
    tv.shows("now", hugo, karim)

    # luis is a late entry in place of a bye, with a penalty point.
    desk.late(luis, 1)
    tv.shows("now", luis, gina)
    assert desk.table(luis, gina).locator(".badge-warn").first.inner_text() == f"{luis} 1"

    # karim does not show up; gina beats luis; the result of iris and julia is entered wrong.
    desk.result(hugo, karim, how="walkover", why="He never came")
    tv.winner(hugo, karim)
    desk.result(gina, luis, 2)
    desk.result(iris, julia, 1)
    tv.winner(iris, julia)
    tv.shows("now", iris, ana)

    # Round 2: one match is reported by the two, and a penalty is given.
    phones.report(elena, elena, 2)
    expect(desk.page.locator("#rounds .desk-state", has_text="reported")).to_be_visible(timeout=LONG)
    phones.confirm(fabio)
    tv.winner(elena, fabio)
    desk.look()
    desk.penalty(bea, hugo, 1)
    desk.result(bea, hugo, 1)
    desk.result(iris, ana, 2)
    desk.result(iris, elena)
    tv.winner(iris, elena)

    # Two rounds later julia reports that she won.
    desk.correct(julia, iris, 1, "The slip was read wrong")
    assert desk.resets() == sorted(" ".join(sorted(two)) for two in ((iris, ana), (iris, elena)))
    tv.winner(iris, elena)  # nothing is changed yet
    desk.agree("Result corrected.")
    tv.winner(julia, iris)
    tv.shows("now", julia, ana)
    tv.lacks("results", iris, elena)
    desk.rewrite("undo", "The slip was read wrong")
    desk.expect_message("Undone.")
    tv.winner(iris, elena)
    desk.rewrite("redo", "The slip was read wrong")
    assert len(desk.resets()) == 2
    desk.agree("Redone.")
    tv.shows("now", julia, ana)

    # The final is played online by ana and bea.
    desk.result(ana, julia, 1)
    desk.play_out(names)
    tv.shows("tree-main", ana, bea)
    assert not scrolls_sideways(desk.page)
    players = [Player(phones.take(name)) for name in (ana, bea)]
    for player in players:
        player.page.locator("#mine form[action$='/arrive/'] button").click()
        player.page.wait_for_url(re.compile(r"/match/\w+/$"))
    tv.shows("now", ana, bea, lines="li.is-live")
    match_id = path_of(players[0].page).split("/")[2]
    for player in players:
        player.match_id = match_id
        player.page.locator(".bd-grid button").first.wait_for(state="attached")
        assert not scrolls_sideways(player.page)
        player.page.goto(desk.path)
    _, state = play_on(players, until=lambda _, state: state["match"]["status"] == "over")
    winner = state["match"]["result"]["winner"]
    champion = state["match"]["players"][winner]["name"]
    tv.shows("champion", champion, lines=".screen-winner")
    for page in (players[0].page, players[1].page):  # without a reload
        page.locator(".champion strong", has_text=champion).wait_for()
    desk.page.locator(".desk-champion strong", has_text=champion).wait_for()

    # The prizes, and the points of the season.
    for name in (ana, bea, carlos, luis):
        desk.paid(name)
    desk.prizes(fee="5", currency="EUR", shares="60 40")
    rows = desk.page.locator("main table tbody tr")
    runner_up = bea if champion == ana else ana
    expect(rows.nth(0)).to_contain_text(re.compile(f"{champion}.*60.*12 EUR"))
    expect(rows.nth(1)).to_contain_text(re.compile(f"{runner_up}.*40.*8 EUR"))
    table = desk.season(season, champion)
    assert table.count() == 11
    assert [table.nth(place).locator("td strong").inner_text() for place in (0, 1)] == ["10", "7"]
    assert table.nth(1).locator("th").inner_text() == runner_up
    events = site.rows("select kind from tournaments_tournamentevent where tournament_id = ?", desk.path.split("/")[2])
    kinds = Counter(kind for (kind,) in events)
    assert {kinds[kind] for kind in ("late", "reported", "undone", "redone", "finished", "prized")} == {1}
