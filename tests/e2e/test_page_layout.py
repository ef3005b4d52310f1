"""Fourteen pages at three widths, in both themes and five languages: nothing is cut off, overlaps or is out of order.

In English also with longer texts, and these from right to left. `make pictures` keeps what is seen.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
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
import time
from accounts.clubs import services as clubs
from accounts.models import Membership, User
from analysis.models import Report
from analysis.services import daily_puzzles, reports, tallies
from games import services
from ladders import services as ladders
from tests.analysis.cards import play, played, report_of
from tests.analysis.over import over
from tests.tournaments.staging import staged
from tools.load.sessions import session_of
from tournaments.models import Official

ana, bea, dora = (User.objects.create_user(name) for name in {names!r})
club = clubs.default_club_ensure()
Membership.objects.create(club=club, user=dora, role="director")

terms = dict(variant="backgammon", length=5, clock="none", rated=False)
services.match_create(creator=bea, **terms)
live = services.match_join(match_id=services.match_create(creator=ana, **terms).pk, user=bea)
for user in (ana, bea):
    services.match_act(match_id=live.pk, user_id=user.pk, action="roll", client_id="opening")
live.refresh_from_db()

report = report_of(played(ana, bea), play(4, "white", loss=0.1), play(6, "black", loss=0.05))
tallies.report_count(report_id=report.pk)
daily_puzzles.daily_pick(day=daily_puzzles.today())

studied = over("m18.mat", ana, bea)
report = reports.report_ask(match_id=studied.pk, user=ana)
while report.status not in (Report.Status.READY, Report.Status.FAILED):  # a worker makes it, or this process
    reports.report_make(report_id=report.pk)
    time.sleep(0.1)
    report.refresh_from_db()

ladder = ladders.ladder_create(by=dora, club=club, name={ladder!r}, kind="challenge", **terms)
for user in (ana, bea):
    ladders.ladder_join(ladder_id=ladder.pk, user=user)
ladders.challenge_make(ladder_id=ladder.pk, user=bea, opponent=ana)

cup = staged("knockout", 8, people=(ana, bea), online=4, played=0.4)
Official.objects.create(tournament=cup, user=dora, role="director")
answer = {{
    "ana": session_of(ana), "bea": session_of(bea), "dora": session_of(dora),
    "live": live.pk, "studied": studied.pk, "ladder": ladder.pk,
    "cup": cup.pk, "profile": ana.username,
    "mover": "ana" if live.snapshot["position"]["mover"] == "white" else "bea",
}}
"""
PAGES = {
    "home": "/",
    "sign-up": "/accounts/signup/",
    "settings": "/settings/",
    "lobby": "/",
    "match": "/match/{live}/",
    "finished match": "/match/{studied}/",
    "analysis": "/match/{studied}/report/",
    "players": "/players/",
    "profile": "/players/{profile}/",
    "ladder": "/ladders/{ladder}/",
    "tournament": "/tournaments/{cup}/",
    "desk": "/tournaments/{cup}/desk/",
    "daily puzzle": "/daily/",
    "rules": "/rules/backgammon/",
}
CHANGES = {"longer": layout.lengthen_texts, "right to left": layout.write_from_right_to_left}
"""One after the other, so the texts from right to left are the longer ones."""
VISITORS = {"home": "", "sign-up": "", "desk": "dora"}


@pytest.fixture(scope="module")
def content(site: Site) -> dict[str, str]:
    """A match, an analysis, a ladder and a tournament of ana and bea; dora directs."""
    names = [site.name(name) for name in ("ana", "bea", "dora")]
    made: dict[str, str] = site.ask(CONTENT.format(names=names, ladder=site.name("Spring ladder ")))
    return made


def picture_keeper(folder: str | None) -> Callable[[Any, str], None]:
    """A function that keeps a picture of a page on a phone and on a wide screen; without a folder it does nothing."""

    def keep(page: Any, name: str) -> None:
        for width in WIDTHS[::2] if folder else ():
            page.set_viewport_size({"width": width, "height": HEIGHT})
            page.emulate_media(color_scheme="light")
            page.screenshot(path=Path(folder or "", f"{name} {width}.png".replace(" ", "-")), full_page=True)

    return keep


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
def test_texts_and_controls_have_room(
    site: Site, open_page: Open, content: dict[str, str], locale: str, request: pytest.FixtureRequest
) -> None:
    keep = picture_keeper(request.config.getoption("--pictures"))
    pages = {who: open_page(locale=locale, reduced_motion="reduce") for who in ("", "ana", "bea", "dora")}
    for who in ("ana", "bea", "dora"):
        sign_in(pages[who], content[who])
    found = []
    for name, path in PAGES.items():
        page = pages[content["mover"] if name == "match" else VISITORS.get(name, "ana")]
        page.goto(path.format_map(content))
        if name == "match":
            page.locator(".match.ready").wait_for()
        assert page.locator("h1").count(), name
        found += [f"{name} {flaw}" for flaw in flaws_at_each_width(page, *WIDTHS, themes=("light", "dark"))]
        keep(page, f"{locale[:2]} {name}")
        if locale == "en-GB":
            for kind, change in CHANGES.items():
                change(page)
                found += [f"{name} {kind} {flaw}" for flaw in flaws_at_each_width(page, *WIDTHS)]
                keep(page, f"{kind} {name}")
    assert not found, "\n".join(found)
