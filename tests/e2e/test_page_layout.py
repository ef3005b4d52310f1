"""Thirteen pages at three widths, in both themes, five languages and longer texts: nothing is cut off or overlaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e import layout
from tests.e2e.director import sign_in
from tools.services.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.looks, pytest.mark.timeout(600)]

Open = Callable[..., Any]
WIDTHS = (1440, 768, 360)
TWO_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Until the navigation is folded."""
HEIGHT = 800
CONTENT = """
from accounts.clubs import services as clubs
from accounts.models import Membership, User
from analysis.services import daily_puzzles, tallies
from games import dice, services
from ladders import services as ladders
from tests.analysis.cards import play, played, report_of
from tests.tournaments.staging import staged
from tools.load.sessions import session_of
from tournaments.models import Official

ana, bea, dora = (User.objects.create_user(name) for name in {names!r})
club = clubs.default_club_ensure()
Membership.objects.create(club=club, user=dora, role="director")

terms = dict(variant="backgammon", length=5, clock="none", rated=False)
services.match_create(creator=bea, **terms)
live = services.match_join(match_id=services.match_create(creator=ana, **terms).pk, user=bea)
roller = dice.replace_roller(lambda match_id, index, elements: (3, 1))  # ana is to play 3-1
for user in (ana, bea):
    services.match_act(match_id=live.pk, user_id=user.pk, action="roll", client_id="opening")
dice.replace_roller(roller)

over = played(ana, bea)
report = report_of(over, play(4, "white", loss=0.1), play(6, "black", loss=0.05))
tallies.report_count(report_id=report.pk)
daily_puzzles.daily_pick(day=daily_puzzles.today())

ladder = ladders.ladder_create(by=dora, club=club, name={ladder!r}, kind="challenge", **terms)
for user in (ana, bea):
    ladders.ladder_join(ladder_id=ladder.pk, user=user)
ladders.challenge_make(ladder_id=ladder.pk, user=bea, opponent=ana)

cup = staged("knockout", 8, people=(ana, bea), online=4, played=0.4)
Official.objects.create(tournament=cup, user=dora, role="director")
answer = {{
    "ana": session_of(ana), "dora": session_of(dora), "live": live.pk, "over": over.pk, "ladder": ladder.pk,
    "cup": cup.pk, "profile": ana.username,
}}
"""
PAGES = {
    "home": "/",
    "sign-up": "/accounts/signup/",
    "settings": "/settings/",
    "lobby": "/",
    "match": "/match/{live}/",
    "analysis": "/match/{over}/report/",
    "players": "/players/",
    "profile": "/players/{profile}/",
    "ladder": "/ladders/{ladder}/",
    "tournament": "/tournaments/{cup}/",
    "desk": "/tournaments/{cup}/desk/",
    "daily puzzle": "/daily/",
    "rules": "/rules/backgammon/",
}
VISITORS = {"home": "", "sign-up": "", "desk": "dora"}


@pytest.fixture(scope="module")
def content(site: Site) -> dict[str, str]:
    """A match, an analysis, a ladder and a tournament of ana and bea; dora directs."""
    names = [site.name(name) for name in ("ana", "bea", "dora")]
    made: dict[str, str] = site.ask(CONTENT.format(names=names, ladder=site.name("Spring ladder ")))
    return made


def flaws_at_each_width(page: Any, *widths: int, themes: tuple[str, ...] = ("light",)) -> list[str]:
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            page.evaluate(TWO_FRAMES)
            found += [f"{width} {theme}: {flaw}" for flaw in layout.flaws(page)]
    return found


@pytest.mark.parametrize("locale", ["en-GB", "es-ES", "de-DE", "el-GR", "ja-JP"])
def test_texts_and_controls_have_room(site: Site, open_page: Open, content: dict[str, str], locale: str) -> None:
    pages = {who: open_page(locale=locale, reduced_motion="reduce") for who in ("", "ana", "dora")}
    for who in ("ana", "dora"):
        sign_in(pages[who], content[who])
    found = []
    for name, path in PAGES.items():
        page = pages[VISITORS.get(name, "ana")]
        page.goto(path.format_map(content))
        if name == "match":
            page.locator(".match.ready").wait_for()
        assert page.locator("h1").count(), name
        found += [f"{name} {flaw}" for flaw in flaws_at_each_width(page, *WIDTHS, themes=("light", "dark"))]
        if locale == "en-GB":
            layout.lengthen_texts(page)
            found += [f"{name} longer {flaw}" for flaw in flaws_at_each_width(page, *WIDTHS)]
    assert not found, "\n".join(found)
