"""A weekend open in real browsers: `python -m tools.bench.weekend_open` (make bench-weekend).

64 entrants are pasted, a main event and a novice event share 16 boards, two directors type results at two desks at the
same time, two players report from their phones, the network of one desk is cut in the middle, a result is corrected,
prizes are set and the reports for a federation are read. Results are typed and sent with Enter, without a click;
seconds and keys are printed for each, and the clicks of everything else. No result may be lost or recorded twice.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.services import chromium
from tools.services.site import Site, running

STAGED = """
from datetime import date
from accounts.clubs.services import default_club_ensure
from accounts.models import Membership, User
from tools.load.sessions import session_of
from tournaments import services
from tournaments.boards import Boards, Room
from tournaments.formats.core import Config
from tournaments.models import Official
from tournaments.services import weekend_people, weekends
from tournaments.terms import Terms
club = default_club_ensure()
people = {name: User.objects.create_user(name) for name in ("ana", "bea", "carlos", "dora")}
for name in ("carlos", "dora"):
    Membership.objects.update_or_create(club=club, user=people[name], defaults={"role": "director"})
dora = people["dora"]
terms = dict(pace="flow", seeding="hand", venue="board", lengths=(7,), rated=True)
made = [
    services.tournament_create(creator=dora, name=name, club=club, terms=Terms(Config("knockout"), **terms))
    for name in ("Main", "Novice")
]
for each in made:
    Official.objects.get_or_create(tournament=each, user=people["carlos"], role="director")
weekend = weekends.weekend_save(user=dora, club=club, name="Open", first=date(2026, 12, 5), last=date(2026, 12, 6))
ids = [each.pk for each in made]
weekends.weekend_set_tournaments(weekend_id=weekend.pk, user=dora, tournament_ids=ids)
weekends.weekend_publish(weekend_id=weekend.pk, user=dora, published=True)
boards = Boards((Room("Hall", 1, 16),))
weekend_people.weekend_boards_set(weekend_id=weekend.pk, user=dora, tournament_ids=ids, boards=boards)
answer = {"ids": ids, "weekend": weekend.pk, "sessions": {name: session_of(user) for name, user in people.items()}}
"""
RESULTS = (
    "select count(*), count(distinct json_extract(data, '$.key')) from tournaments_tournamentevent "
    "where kind = 'result' and tournament_id = ?"
)
OPEN_PLACES = "() => JSON.parse(document.getElementById('desk-pairings')?.textContent ?? '[]')"
MAIN, NOVICE = 63, 15  # pairings of the two knockouts
PATIENCE = 60.0  # seconds until a pairing has to open
KEY_PAUSE = 25  # ms between keys, as a quick typist has


@dataclass
class Desk:
    """A director at the result line of one tournament."""

    page: Any
    tournament: str
    entered: list[str] = field(default_factory=list)
    keys: int = 0
    seconds: list[float] = field(default_factory=list)

    def open_places(self) -> list[dict[str, Any]]:
        """The open pairings as the desk shows them, without those entered here."""
        return [place for place in self.page.evaluate(OPEN_PLACES) if place["key"] not in self.entered]

    def enter(self, place: dict[str, Any]) -> None:
        """Type one result: the first of the two wins, 7 to a score that depends on the pairing."""
        line = f"{place['label']} 7-{len(self.entered) % 7}"
        begun = time.perf_counter()
        self.page.locator("#result-line-input").focus()
        self.page.keyboard.type(line, delay=KEY_PAUSE)
        self.page.keyboard.press("Enter")
        self.page.wait_for_function("() => document.getElementById('result-line-input').value === ''")
        self.seconds.append(time.perf_counter() - begun)
        self.keys += len(line) + 1
        self.entered.append(place["key"])

    def wait_until_sent(self) -> None:
        self.page.wait_for_function("() => !document.querySelector('.desk-sent-waiting')", timeout=60_000)


class Weekend:
    """The event: its site, and a browser profile for each person."""

    def __init__(self, site: Site, browser: Any) -> None:
        staged = site.ask(STAGED)
        self.site, self.browser = site, browser
        self.main, self.novice = staged["ids"]
        self.weekend, self.sessions = staged["weekend"], staged["sessions"]
        self.clicks = 0

    def page(self, name: str, path: str, **options: Any) -> Any:
        context = self.browser.new_context(
            base_url=self.site.url, locale="en-GB", viewport={"width": 1280, "height": 800}, **options
        )
        context.add_cookies([{"name": "sessionid", "value": self.sessions[name], "url": self.site.url}])
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(path)
        return page

    def go(self, page: Any, button: Any) -> None:
        """Click and wait for the next page."""
        with page.expect_navigation():
            button.click()
        self.clicks += 1

    def paste(self, page: Any, tournament: str, names: Sequence[str]) -> float:
        """Paste a list of entrants; the seconds it took."""
        begun = time.perf_counter()
        page.goto(f"/tournaments/{tournament}/desk/entrants/list/")
        page.locator("textarea[name=text]").fill("\n".join(names))
        self.go(page, page.get_by_role("button", name="Check the list"))
        self.go(page, page.locator("main form button[type=submit]").last)
        return time.perf_counter() - begun

    def start(self, page: Any, tournament: str) -> Desk:
        """Draw and start from the desk."""
        page.goto(f"/tournaments/{tournament}/desk/")
        while not page.evaluate(OPEN_PLACES):
            page.locator(".desk-next button[type=submit], .desk-step button[type=submit]").first.click()
            self.clicks += 1
            page.locator("#tournament-live:not([aria-busy])").wait_for()
            page.wait_for_timeout(300)
        return Desk(page, tournament)

    def report_by_phones(self, desk: Desk) -> None:
        """Ana reports that she has won against bea, who confirms, each on a phone."""
        phone: dict[str, Any] = {"is_mobile": True, "has_touch": True}
        path = f"/tournaments/{self.main}/"
        ana = self.page("ana", path, **phone)
        form = ana.locator("#mine form[action$='/report/']")
        form.locator("label.chip", has_text="ana").click()
        form.locator("input[name=lost]").fill("3")
        self.go(ana, form.locator("button[type=submit]"))
        bea = self.page("bea", path, **phone)
        self.go(bea, bea.locator("#mine form[action$='/confirm/'] button").first)
        desk.page.wait_for_function(
            "key => !JSON.parse(document.getElementById('desk-pairings').textContent).some((each) => each.key === key)",
            arg="main-1-1",
        )
        desk.entered.append("main-1-1")

    def results(self, tournament: str) -> tuple[int, int]:
        """How many results were recorded, and for how many pairings."""
        ((recorded, pairings),) = self.site.rows(RESULTS, tournament)
        return int(recorded), int(pairings)


def play_out(desks: Sequence[Desk], counts: Sequence[int]) -> None:
    """Enter what is open, one result at each desk in turn, until each has entered so many. Raises TimeoutError."""
    stuck = time.perf_counter() + PATIENCE
    while any(len(desk.entered) < count for desk, count in zip(desks, counts, strict=True)):
        for desk, count in zip(desks, counts, strict=True):
            if len(desk.entered) < count and (places := desk.open_places()):
                desk.enter(places[0])
                stuck = time.perf_counter() + PATIENCE
        if time.perf_counter() > stuck:
            raise TimeoutError("no pairing is open")
        desks[0].page.wait_for_timeout(50)
    for desk in desks:
        desk.wait_until_sent()


def cut_off(desk: Desk, other: Desk, seconds: float) -> int:
    """Cut the network of a desk for so long while both go on; how many results waited in the browser."""
    desk.page.context.set_offline(True)
    until, waited = time.perf_counter() + seconds, 0
    while time.perf_counter() < until:
        if places := desk.open_places():
            desk.enter(places[0])
            waited += 1
        if places := other.open_places():
            other.enter(places[0])
        desk.page.wait_for_timeout(min(5000, max(0.0, 1000 * (until - time.perf_counter()))))
    desk.page.context.set_offline(False)
    desk.wait_until_sent()
    return waited


def correct(event: Weekend, page: Any, key: str) -> None:
    """Turn a result round."""
    page.goto(f"/tournaments/{event.main}/desk/correct/?key={key}")
    page.locator("label.chip:has(input:not(:checked))").first.click()
    page.locator("input[name=why]").fill("Entered the wrong way round")
    event.go(page, page.get_by_role("button", name="Correct result"))


def report(event: Weekend, page: Any) -> dict[str, int]:
    """Set the prizes and read the reports; rows of each."""
    page.goto(f"/tournaments/{event.main}/prizes/")
    page.locator("[name=fee]").fill("20")
    page.locator("[name=shares]").fill("50 30 20")
    event.go(page, page.locator("form[action$='/prizes/'] button[type=submit]").last)
    counted = {}
    for what in ("matches", "points"):
        answer = page.context.request.get(f"/tournaments/{event.main}/desk/report/?what={what}")
        assert answer.ok, answer.status
        counted[what] = len(list(csv.reader(io.StringIO(answer.text())))) - 1
    return counted


def run(site: Site, browser: Any, cut: float) -> dict[str, Any]:
    event = Weekend(site, browser)
    dora, carlos = event.page("dora", "/"), event.page("carlos", "/")
    names = ["ana", *(f"Player {number}" for number in range(2, 64)), "bea"]
    pasted = event.paste(dora, event.main, names)
    event.paste(carlos, event.novice, [f"Novice {number}" for number in range(1, 17)])
    main, novice = event.start(dora, event.main), event.start(carlos, event.novice)
    event.report_by_phones(main)
    play_out((main, novice), (20, 5))
    waited = cut_off(main, novice, cut)
    correct(event, event.page("dora", "/"), main.entered[-1])
    play_out((main, novice), (MAIN, NOVICE))
    reports = report(event, dora)
    typed = main.seconds + novice.seconds
    recorded = event.results(event.main), event.results(event.novice)
    assert recorded == ((MAIN + 1, MAIN), (NOVICE, NOVICE)), recorded  # one of them twice: it was corrected
    return {
        "pairings": [MAIN, NOVICE],
        "typed": len(typed),
        "seconds_a_result": round(sum(typed) / len(typed), 2),
        "keys_a_result": round((main.keys + novice.keys) / len(typed), 1),
        "waited_in_the_cut": waited,
        "paste_of_64_seconds": round(pasted, 1),
        "other_clicks": event.clicks,
        "report_rows": reports,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cut", type=float, default=120, help="seconds without a network at one desk")
    options = parser.parse_args()
    found = chromium.find()
    if found is None:
        raise SystemExit("Chromium is missing: apt install chromium")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="tablero-weekend-") as folder, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=chromium.ARGUMENTS)
        with running(Path(folder) / "var", "--without-accounts") as site:
            print(json.dumps(run(site, browser, options.cut)), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
