"""Weigh the pages: `python -m tools.bench.weight` (make bench-weight).

A visitor and a player open each page in a Chromium of this machine: cold (an empty cache, the processor four times
slower) and warm (the same page again). The table has requests, bytes on the wire, decoded bytes, layout shift, and
milliseconds until the page is ready: a board that can be played on, or the end of loading. Sockets count as requests.
With `--list` each request of the cold visit is printed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from tools.services import chromium
from tools.services.site import Site, running

SLOWED = 4
CONTENT = """
from ladders.models import Ladder
from games import services
from games.selectors import match_state
from tests.tournaments.staging import staged
from tools.load.sessions import session_of
from accounts.models import User
ana, bea = (User.objects.create_user(name) for name in ("ana", "bea"))
def may(match, player):
    event, side = match_state.match_event(match_id=match.pk, user_id=player.pk)
    return event["private"][side]["may"]
def begun():
    seek = services.match_create(creator=ana, variant="backgammon", length=5, clock="none", rated=False)
    match = services.match_join(match_id=seek.pk, user=bea)
    rolls = 0
    while not any("move" in may(match, player) for player in (ana, bea)):
        rolls += 1
        for player in (ana, bea):
            if "roll" in may(match, player):
                page = f"begin-{player.pk}-{rolls}"
                services.match_act(match_id=match.pk, user_id=player.pk, action="roll", client_id=page)
    return match
live, over = begun(), begun()
services.match_act(match_id=over.pk, user_id=ana.pk, action="resign match", client_id="end-1")
cup, ladder = staged("knockout", 8, online=8), Ladder.objects.first()
answer = {"session": session_of(ana), "live": live.pk, "over": over.pk, "cup": cup.pk, "ladder": ladder.pk}
"""
SHIFT = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
"""
READY_BOARD = """new MutationObserver((changes, observer) => {
  if (!document.querySelector('.match.ready')) return;
  window.boardReady = performance.now();
  observer.disconnect();
}).observe(document, { attributes: true, subtree: true, childList: true, attributeFilter: ['class'] });
"""
LINE = "{:15} {:>8} {:>7} {:>8} {:>9} {:>6} {:>5} {:>6}"
QUIET = 500  # milliseconds without a request: the page is complete


@dataclass
class Weight:
    """What one visit to a page loaded."""

    urls: list[str] = field(default_factory=list)
    sockets: list[str] = field(default_factory=list)
    wire: dict[str, int] = field(default_factory=dict)
    decoded: dict[str, int] = field(default_factory=dict)
    ready: float = 0.0
    shift: float = 0.0

    @property
    def requests(self) -> int:
        return len(self.urls) + len(self.sockets)

    @property
    def on_the_wire(self) -> int:
        return sum(self.wire.values())


@contextmanager
def weighed(page: Any) -> Iterator[Weight]:
    """Record what a Playwright page loads over the network during the block; cached files are not requested."""
    weight, session = Weight(), page.context.new_cdp_session(page)
    urls: dict[str, str] = {}
    cached: set[str] = set()

    def sent(event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            urls[event["requestId"]] = event["request"]["url"]

    def finished(event: dict[str, Any]) -> None:
        if (url := urls.get(event["requestId"])) and event["requestId"] not in cached:
            weight.wire[url] = weight.wire.get(url, 0) + int(event["encodedDataLength"])

    def received(event: dict[str, Any]) -> None:
        if (url := urls.get(event["requestId"])) and event["requestId"] not in cached:
            weight.decoded[url] = weight.decoded.get(url, 0) + int(event["dataLength"])

    session.on("Network.requestWillBeSent", sent)
    session.on("Network.requestServedFromCache", lambda event: cached.add(event["requestId"]))
    session.on("Network.responseReceived", lambda event: from_cache(event, cached))
    session.on("Network.dataReceived", received)
    session.on("Network.loadingFinished", finished)
    session.on("Network.webSocketCreated", lambda event: weight.sockets.append(event["url"]))
    session.send("Network.enable")
    yield weight
    weight.urls.extend(url for request, url in urls.items() if request not in cached)
    session.detach()


def from_cache(event: dict[str, Any], cached: set[str]) -> None:
    if event["response"].get("fromDiskCache"):
        cached.add(event["requestId"])


def visited(page: Any, path: str, *, slowed: int = 1) -> Weight:
    """Open a page with the processor `slowed` times slower, until it asks for nothing more."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    with weighed(page) as weight:
        page.goto(path)
        if "/match/" in path:
            page.wait_for_function("window.boardReady")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(QUIET)
    load = "performance.getEntriesByType('navigation')[0].loadEventEnd"
    weight.ready = page.evaluate(f"window.boardReady ?? {load}")
    weight.shift = page.evaluate("window.shift")
    session.detach()
    return weight


def opened(browser: Any, site: Site, key: str) -> Any:
    """A page in a new profile, with a session or without one."""
    context = browser.new_context(base_url=site.url, locale="es-ES", viewport={"width": 360, "height": 740})
    if key:
        context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.add_init_script(SHIFT + READY_BOARD)
    return page


def pages(made: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Name, path and visitor of each page."""
    yield "home", "/", ""
    yield "sign-up", "/accounts/signup/", ""
    yield "rules", "/rules/backgammon/", ""
    yield "lobby", "/", "ana"
    yield "live match", f"/match/{made['live']}/", "ana"
    yield "watched match", f"/match/{made['live']}/", ""
    yield "replay", f"/match/{made['over']}/", "ana"
    yield "tournament", f"/tournaments/{made['cup']}/", "ana"
    yield "ladder", f"/ladders/{made['ladder']}/", "ana"
    yield "history", "/history/", "ana"
    yield "live boards", "/wall/", ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="pages whose name has this")
    parser.add_argument("--times", type=int, default=3, help="cold visits; the table has medians")
    parser.add_argument("--list", action="store_true", help="print each request of a cold visit")
    options = parser.parse_args()
    found = chromium.find()
    if found is None:
        print("Chromium is missing: apt install chromium", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory(prefix="tablero-") as folder,
        running(Path(folder) / "var", "--without-accounts") as site,
    ):
        made = site.ask(CONTENT)
        keys = {"": "", "ana": made["session"]}
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=found, args=chromium.ARGUMENTS)
            print(LINE.format("page", "requests", "KiB", "decoded", "ready ms", "shift", "warm", "KiB"))
            for name, path, who in pages(made):
                if options.only not in name:
                    continue
                cold, warm = [], Weight()
                for _ in range(options.times):
                    page = opened(browser, site, keys[who])
                    cold.append(visited(page, path, slowed=SLOWED))
                    warm = visited(page, path)
                    page.context.close()
                first = cold[0]
                kib = [f"{n / 1024:.1f}" for n in (first.on_the_wire, sum(first.decoded.values()), warm.on_the_wire)]
                ready, shift = median(each.ready for each in cold), max(each.shift for each in cold)
                facts = (first.requests, kib[0], kib[1], f"{ready:.0f}", f"{shift:.3f}", warm.requests, kib[2])
                print(LINE.format(name, *facts), flush=True)
                if options.list:
                    for url in [*first.urls, *first.sockets]:
                        print(f"    {first.wire.get(url, 0):8} {first.decoded.get(url, 0):8} {urlsplit(url).path}")
                    print("  warm:", *(urlsplit(url).path for url in [*warm.urls, *warm.sockets]))
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
