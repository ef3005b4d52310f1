"""What a newcomer wants to do, counted in clicks from the home page; docs/accessibility.md has the same table."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.director import members, sign_in
from tests.e2e.layout import scrolls_sideways
from tests.e2e.seats import PATIENCE, Player, play_on
from tools.services.environment import ROOT
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.timeout(600)]

Open = Callable[..., Any]
Pair = tuple[Player, str, Player, str]
MOST = 4  # clicks
WAIT = 1000 * PATIENCE
ANALYSIS_TIMEOUT = 240  # seconds: a machine that is busy with other tests
PASSWORD = "correct horse battery"

POST_GAME = """
from accounts.models import User
from games import services
bea = User.objects.get(username={bea!r})
answer = services.match_create(creator=bea, variant="backgammon", length=1, clock="none", rated=False).pk
"""
BEGIN_MATCH = """
from accounts.models import User
from games import services
ana, bea = (User.objects.get(username=name) for name in {names!r})
seek = services.match_create(creator=ana, variant="backgammon", length=5, clock="none", rated=False)
answer = services.match_join(match_id=seek.pk, user=bea).pk
"""
SAY = """
from accounts.models import User
from chat.services import message_say
bea = User.objects.get(username={bea!r})
answer = message_say(match_id={match!r}, user_id=bea.pk, client_id="hola-1", text="hola").pk
"""
FINISH_AND_ANALYSE = """
from accounts.models import User
from analysis import services
from tests.analysis.over import over
ana, bea = (User.objects.get(username=name) for name in {names!r})
answer = services.report_ask(match_id=over("m18.mat", ana, bea).pk, user=ana, depth="quick").pk
"""
WORST = """
from analysis.models import Report
report = Report.objects.get(pk={pk!r})
losses = [
    (each["loss"], -each["n"])
    for game in (report.data or {{}}).get("games", ())
    for each in game["decisions"]
    if each["side"] == "white"
]
answer = [report.status, -max(losses)[1] if losses else 0]
"""
OPEN_LADDER = """
from accounts.clubs import services as clubs
from accounts.models import Membership, User
from ladders import services
dora, club = User.objects.get(username={dora!r}), clubs.default_club_ensure()
Membership.objects.create(club=club, user=dora, role="director")
terms = {{"kind": "challenge", "variant": "backgammon", "length": 3, "clock": "club"}}
answer = services.ladder_create(by=dora, club=club, name={name!r}, **terms).pk
"""
OPEN_TOURNAMENT = """
from accounts.models import User
from tests.tournaments.staging import terms_of
from tournaments import services
dora = User.objects.get(username={dora!r})
answer = services.tournament_create(creator=dora, name={name!r}, terms=terms_of("knockout")).pk
"""
GIVE_PASSWORD = """
from accounts.models import User
from tools.load.sessions import session_of
ana = User.objects.get(username={ana!r})
ana.set_password({password!r})
ana.save()
answer = session_of(ana)
"""


class Walk:
    """One task from the home page: each click on what a person sees, by the name that the table gives it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.path: list[str] = []
        page.goto("/")

    def click(self, target: Any, called: str) -> None:
        """Click what is visible and enabled."""
        expect(target).to_be_visible(timeout=WAIT)
        target.click()
        self.path.append(called)

    def button(self, name: str | re.Pattern[str], called: str = "", *, within: Any = None) -> None:
        self.click((within or self.page).get_by_role("button", name=name, exact=True), called or str(name))

    def link(self, name: str | re.Pattern[str], called: str = "", *, within: Any = None) -> None:
        self.click((within or self.page).get_by_role("link", name=name, exact=True), called or str(name))

    def section(self, name: str) -> None:
        """A link of the navigation at the top."""
        self.link(name, within=self.page.get_by_role("navigation", name="Main"))

    def menu(self, name: str) -> None:
        """An entry of the menu under the own name."""
        self.click(self.page.locator("#account-menu > summary"), "Menu")
        self.link(name, within=self.page.locator("#account-menu"))

    def took(self, task: str) -> None:
        """Require that the table has this task with this path, and at most four clicks."""
        assert len(self.path) <= MOST, self.path
        row = f"| {task} | {len(self.path)} | {' › '.join(self.path)} |"
        assert row in (ROOT / "docs" / "accessibility.md").read_text(encoding="utf-8").splitlines(), row


@pytest.fixture
def pair(site: Site, open_page: Open) -> Pair:
    """ana, who does the task, and bea: two members, each with a browser."""
    ana, bea = site.name("ana"), site.name("bea")
    sessions = members(site, ana, bea)
    players = {name: Player(open_page(reduced_motion="reduce")) for name in (ana, bea)}
    for name, player in players.items():
        sign_in(player.page, sessions[name])
    return players[ana], ana, players[bea], bea


def begin_match(site: Site, pair: Pair) -> list[Player]:
    """A match between them; ana's page makes no play by itself."""
    ana, ana_name, bea, bea_name = pair
    ana.prefer(auto_forced=False)
    bea.token()  # she has opened no page yet
    ana.match_id = bea.match_id = site.ask(BEGIN_MATCH.format(names=[ana_name, bea_name]))
    return [ana, bea]


def test_find_a_game(site: Site, pair: Pair) -> None:
    ana, _, _, bea_name = pair
    match = site.ask(POST_GAME.format(bea=bea_name))
    walk = Walk(ana.page)
    walk.button(f"Play {bea_name}", "Play (an open game)")
    ana.page.wait_for_url(f"**/match/{match}/")
    ana.page.locator(".bd-grid button").first.wait_for(state="attached")
    walk.took("Find a game")


def test_post_a_game(pair: Pair) -> None:
    page = pair[0].page
    walk = Walk(page)
    quick = page.get_by_role("region", name="Quick match")
    walk.click(quick.get_by_role("button", name=re.compile("point")).last, "Quick match")
    cancel = page.get_by_role("button", name=re.compile("^Cancel")).first
    joined = page.locator(".bd-grid button")  # a game that another test has posted
    cancel.or_(joined).first.wait_for(state="attached")
    walk.took("Post a game")
    if cancel.is_visible():
        cancel.click()


def test_double(site: Site, pair: Pair) -> None:
    ana = pair[0]
    play_on(begin_match(site, pair), until=lambda player, state: player is ana and "double" in state["may"])
    walk = Walk(ana.page)
    walk.link("Your turn")
    walk.button("Double")
    ana.reaches(lambda state: state["position"]["cube"]["offered"] is not None)
    walk.took("Double")


def blocked_point(state: dict[str, Any]) -> int | None:
    """A point of White, who is to move, with checkers that no number of the roll moves; None without one."""
    tree = state["position"]["tree"]
    if "move" not in state["may"] or not tree:
        return None
    movable = {half[0] for half in tree[0]}
    points = enumerate(state["position"]["board"]["white"]["points"], 1)
    return next((point for point, count in points if count and point not in movable), None)


def test_understand_a_refusal(site: Site, pair: Pair) -> None:
    ana = pair[0]
    _, state = play_on(
        begin_match(site, pair), until=lambda player, state: player is ana and blocked_point(state) is not None
    )
    point, page = blocked_point(state), ana.page
    walk = Walk(page)
    walk.link("Your turn")
    ana.sees(state)
    box = page.locator(".bd-grid button", has_text=re.compile(rf"^Point {point}:")).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.9 if point <= 12 else 0.1))  # type: ignore[operator]
    walk.path.append("the checker")
    reason = page.locator("[data-part=detail]")
    with page.expect_popup() as popup:
        walk.link(re.compile("^rule "), "rule", within=reason)
    assert re.search(r"/rules/", popup.value.url)
    popup.value.locator("main").get_by_role("heading").first.wait_for()
    walk.took("Understand a refusal")


def test_change_the_board(pair: Pair) -> None:
    page = pair[0].page
    walk = Walk(page)
    walk.menu("Board and sounds")
    walk.click(page.locator("label", has_text=re.compile(r"^\s*Ocean\s*$")), "Ocean")
    with page.expect_navigation():
        walk.button("Save")
    page.goto("/")
    assert page.locator("html").get_attribute("data-board") == "ocean"
    walk.took("Change the board")


def test_find_the_blunder(site: Site, pair: Pair) -> None:
    ana, ana_name, _, bea_name = pair
    report, end = site.ask(FINISH_AND_ANALYSE.format(names=[ana_name, bea_name])), time.monotonic() + ANALYSIS_TIMEOUT
    while (worst := site.ask(WORST.format(pk=report)))[0] != "ready":
        assert time.monotonic() < end, worst
        time.sleep(0.5)
    page = ana.page
    walk = Walk(page)
    walk.section("History")
    walk.link(re.compile("^Replay "), "Replay")
    walk.link("Open the analysis")
    page.locator(".error-review.ready").wait_for()
    walk.link("Your worst mistake")
    item = page.locator(f"#n{worst[1]}.is-here")
    expect(item).to_be_visible(timeout=WAIT)
    expect(item).to_be_in_viewport(timeout=WAIT)
    page.set_viewport_size({"width": 360, "height": 740})
    assert not scrolls_sideways(page)
    walk.took("Find the blunder")


def test_join_a_ladder(site: Site, pair: Pair) -> None:
    ana, _, _, bea_name = pair
    name = site.name("Thursdays")
    site.ask(OPEN_LADDER.format(dora=bea_name, name=name))
    walk = Walk(ana.page)
    walk.section("Ladders")
    walk.button(re.compile(rf"^Join ladder ?: {name}$"), "Join ladder")
    ana.page.locator("#leave-box").wait_for()
    walk.took("Join a ladder")


def test_enter_a_tournament(site: Site, pair: Pair) -> None:
    ana, _, _, bea_name = pair
    name = site.name("Spring knockout ")
    site.ask(OPEN_TOURNAMENT.format(dora=bea_name, name=name))
    walk = Walk(ana.page)
    walk.section("Tournaments")
    walk.link(name, "the tournament")
    walk.button("Enter tournament")
    ana.page.get_by_role("heading", name="You're entered").wait_for()
    walk.took("Enter a tournament")


def test_follow_a_friend(pair: Pair) -> None:
    ana, _, _, bea_name = pair
    walk = Walk(ana.page)
    walk.section("Players")
    ana.page.get_by_role("searchbox", name="Name").fill(bea_name)
    walk.button("Search")
    walk.link(bea_name, "the player")
    walk.button("Follow")
    ana.page.get_by_role("button", name="Unfollow").wait_for()
    walk.took("Follow a friend")


def test_mute_a_chat(site: Site, pair: Pair) -> None:
    ana, _, _, bea_name = pair
    play_on(begin_match(site, pair), until=lambda player, state: player is ana and "move" in state["may"])
    site.ask(SAY.format(bea=bea_name, match=ana.match_id))
    walk = Walk(ana.page)
    walk.link("Your turn")
    ana.page.locator(".match.ready").wait_for()
    walk.click(ana.page.locator(".chat-box > summary"), "Chat")
    line = ana.page.locator(".chat-line", has_text="hola")
    walk.button("Message options", within=line)
    walk.button("Mute", within=line)
    line.wait_for(state="detached")
    walk.took("Mute a chat")


def test_delete_the_account(site: Site, pair: Pair) -> None:
    ana, ana_name, *_ = pair
    sign_in(ana.page, site.ask(GIVE_PASSWORD.format(ana=ana_name, password=PASSWORD)))
    walk = Walk(ana.page)
    walk.menu("Settings")
    walk.link("Delete account")
    ana.page.get_by_label("Your password").fill(PASSWORD)
    ana.page.get_by_label(re.compile("^Type your username")).fill(ana_name)
    walk.button("Delete my account")
    ana.page.get_by_text("Your account has been deleted. Thank you for playing.").wait_for()
    walk.took("Delete the account")
