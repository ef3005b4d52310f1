"""Measure how soon the board answers a player's hand: `python -m tools.bench.next_paint` (make bench-next-paint).

A guest plays the computer on a phone's screen with the processor four times slower. Each press at the board and its
buttons is an interaction; the browser's own Event Timing says how long it took from the press to the paint that
followed it (in steps of 8 ms), and how much of that was waiting, running scripts, and drawing. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tools.services import chromium
from tools.services.site import running

SHORTEST = 16  # milliseconds, as in WATCH: the browser tells of no shorter event
PACE = 500  # milliseconds that a quick player needs between seeing and pressing
WATCH = """
window.presses = [];
new PerformanceObserver((list) => {
  for (const each of list.getEntries()) {
    if (!each.interactionId) continue;
    const { name, duration, startTime, processingStart, processingEnd, interactionId, target } = each;
    const what = target?.closest?.('button,svg,.board')?.className?.baseVal ?? target?.className ?? '';
    window.presses.push({ name, duration, waited: processingStart - startTime, ran: processingEnd - processingStart,
      id: interactionId, what: [target?.nodeName, what, target?.dataset?.act ?? target?.dataset?.do ?? ''].join(' ') });
  }
}).observe({ type: 'event', durationThreshold: 16, buffered: true });
"""
LOOK = """() => {
  const buttons = [...document.querySelectorAll('.match-buttons button:not([hidden]):not(:disabled)')];
  const offered = Object.fromEntries(buttons.map((each) => [each.dataset.act ?? each.dataset.do, each]));
  for (const name of ['next', 'roll', 'take', 'done']) {
    if (!offered[name]) continue;
    const box = offered[name].getBoundingClientRect();
    return [name, box.x + box.width / 2, box.y + box.height / 2];
  }
  const places = [...document.querySelectorAll('.bd-grid button.movable')].map((each) => {
    const box = each.getBoundingClientRect();
    return ['checker', box.x + box.width / 2, box.y + box.height / 2];
  });
  return places[Math.floor(Math.random() * places.length)] ?? null;
}"""
OVER = "document.querySelector('dialog[open] [data-part=result-title]') !== null"


def slowest_of_each(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One interaction has several events (down, up, click): the slowest of them counts."""
    slowest: dict[int, dict[str, Any]] = {}
    for each in entries:
        if each["duration"] >= slowest.get(each["id"], each)["duration"]:
            slowest[each["id"]] = each
    return sorted(slowest.values(), key=lambda each: -each["duration"])


def played(page: Any, presses: int) -> list[dict[str, Any]]:
    """Press what the page offers so many times; return the interactions, slowest first."""
    made = 0
    found: list[dict[str, Any]] = []
    while made < presses:
        if page.evaluate(OVER):
            found += page.evaluate("window.presses")
            page.locator("dialog[open] form[method=post] button, dialog[open] [data-do=rematch]").first.click()
            page.wait_for_load_state()
        if not page.evaluate(LOOK):
            page.wait_for_timeout(100)
            continue
        page.wait_for_timeout(PACE)
        if spot := page.evaluate(LOOK):
            page.touchscreen.tap(spot[1], spot[2])
            made += 1
    page.wait_for_timeout(1000)
    return slowest_of_each(found + page.evaluate("window.presses"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=80)
    parser.add_argument("--slowed", type=int, default=4, help="how many times slower the processor is")
    parser.add_argument("--list", type=int, default=8, help="how many of the slowest to print")
    options = parser.parse_args()
    executable = chromium.find()
    if executable is None:
        print("Chromium is missing: apt install chromium", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory(prefix="tablero-") as folder,
        running(Path(folder) / "var", "--without-accounts") as site,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=executable, args=chromium.ARGUMENTS)
        context = browser.new_context(
            base_url=site.url, locale="en-GB", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
        )
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(WATCH)
        page.goto("/")
        page.get_by_role("button", name="Play now").click()
        page.wait_for_url("**/match/**")
        page.locator(".match.ready").wait_for()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": options.slowed})
        slowest = played(page, options.presses)
        browser.close()
    for each in slowest[: options.list]:
        facts = (each["duration"], each["waited"], each["ran"], each["name"], each["what"].strip())
        print("{:5.0f} ms: waited {:4.0f}, ran {:4.0f}  {} {}".format(*facts))
    # An interaction that the browser does not tell of took less than the shortest that it tells of.
    times = [each["duration"] for each in slowest] + [SHORTEST] * max(0, options.presses - len(slowest))
    p98 = quantiles(times, n=50, method="inclusive")[-1]
    print(json.dumps({"presses": options.presses, "p50_ms": median(times), "p98_ms": p98, "worst_ms": max(times)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
