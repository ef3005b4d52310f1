"""Audit the pages with Lighthouse: `python -m tools.bench.lighthouse` (make bench-lighthouse).

Ten pages of a new site are audited as on a phone (a slow network and processor, simulated) and as on a desktop. The
table has the four scores of Lighthouse, largest contentful paint and total blocking time in milliseconds, layout shift,
requests and KiB on the wire. Below each page stand the audits that cost points. Lighthouse is a program of its own:
`npm install --global lighthouse`, or name it in LIGHTHOUSE. A busy machine costs performance points that are not the
pages': `--times 3` has medians.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tests.e2e.seats import against_the_computer
from tools.bench.weight import CONTENT
from tools.services import chromium
from tools.services.site import Site, free_port, running

PUZZLE = """
from accounts.models import User
from analysis.services import daily_puzzles, tallies
from tests.analysis.cards import play, played, report_of
ana, bea = (User.objects.get(username=name) for name in ("ana", "bea"))
report = report_of(played(ana, bea), play(4, "white", loss=0.1))
tallies.report_count(report_id=report.pk)
answer = daily_puzzles.daily_pick(day=daily_puzzles.today()).pk
"""
CATEGORIES = {"performance": "perf", "accessibility": "a11y", "best-practices": "best", "seo": "seo"}
METRICS = {"largest-contentful-paint": "LCP", "total-blocking-time": "TBT", "cumulative-layout-shift": "CLS"}
PRESETS = {"phone": [], "desktop": ["--preset=desktop"]}
LINE = "{:15} {:8} {:>4} {:>4} {:>4} {:>4} {:>6} {:>5} {:>6} {:>8} {:>6}"
PATIENCE = 300  # seconds for one audit


@dataclass(frozen=True)
class Audit:
    """What Lighthouse says about one page."""

    scores: dict[str, int]
    metrics: dict[str, float]
    requests: int
    kib: float
    lost: list[str]


def audited(report: dict[str, Any]) -> Audit:
    """Read a report of Lighthouse."""
    audits, lost = report["audits"], []
    for name in CATEGORIES:
        for each in report["categories"][name]["auditRefs"]:
            audit = audits[each["id"]]
            if each["weight"] and audit["score"] is not None and audit["score"] < 1:
                shown = audit.get("displayValue") or audit["title"]
                lost.append(f"{name}: {each['id']} {audit['score']:.2f} ({shown})")
                lost += [f"    {item['node']['snippet']}" for item in items_of(audit) if "node" in item]
    requests = [each for each in items_of(audits["network-requests"]) if each["url"].startswith("http")]
    return Audit(
        {name: round(100 * report["categories"][name]["score"]) for name in CATEGORIES},
        {name: float(audits[name]["numericValue"]) for name in METRICS},
        len(requests),
        sum(each["transferSize"] for each in requests) / 1024,
        lost,
    )


def items_of(audit: dict[str, Any]) -> list[dict[str, Any]]:
    return list(audit.get("details", {}).get("items", ()))


def run(program: str, url: str, port: int, options: list[str]) -> Audit:
    """Let Lighthouse open the page in the running browser, whose cookies it keeps."""
    command = [program, url, f"--port={port}", "--output=json", "--quiet", "--max-wait-for-load=90000", *options]
    command.append(f"--only-categories={','.join(CATEGORIES)}")
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    report = json.loads(done.stdout)
    assert "runtimeError" not in report, report["runtimeError"]
    return audited(report)


def pages(made: dict[str, Any], match_id: str) -> Iterator[tuple[str, str, str]]:
    """Name, path and visitor of each page."""
    yield "home", "/", ""
    yield "sign-up", "/accounts/signup/", ""
    yield "lobby", "/", "ana"
    yield "match", f"/match/{match_id}/", "guest"
    yield "players", "/players/", ""
    yield "profile", "/players/ana/", ""
    yield "ladder", f"/ladders/{made['ladder']}/", "ana"
    yield "tournament", f"/tournaments/{made['cup']}/", "ana"
    yield "daily puzzle", "/daily/", "ana"
    yield "rules", "/rules/backgammon/", ""


def audit_pages(program: str, site: Site, play: Any, browser: str, options: argparse.Namespace) -> None:
    made = site.ask(CONTENT)
    site.ask(PUZZLE)
    port = free_port()
    arguments = [*chromium.ARGUMENTS, f"--remote-debugging-port={port}"]
    with tempfile.TemporaryDirectory(prefix="tablero-", ignore_cleanup_errors=True) as profile:
        context = play.chromium.launch_persistent_context(
            profile, executable_path=browser, args=arguments, base_url=site.url
        )
        guest = against_the_computer(context.new_page())
        cookies = {"": [], "guest": context.cookies()}
        cookies["ana"] = [{"name": "sessionid", "value": made["session"], "url": site.url}]
        print(LINE.format("page", "as on a", *CATEGORIES.values(), *METRICS.values(), "requests", "KiB"))
        for name, path, who in pages(made, guest.match_id):
            for preset, more in PRESETS.items():
                if options.only not in name or options.preset not in preset:
                    continue
                context.clear_cookies()
                context.add_cookies(cookies[who])
                found = [run(program, site.url.rstrip("/") + path, port, more) for _ in range(options.times)]
                scores = [f"{median(each.scores[one] for each in found):.0f}" for one in CATEGORIES]
                lcp, tbt, cls = (median(each.metrics[one] for each in found) for one in METRICS)
                facts = (f"{lcp:.0f}", f"{tbt:.0f}", f"{cls:.3f}", found[0].requests, f"{found[0].kib:.1f}")
                print(LINE.format(name, preset, *scores, *facts), flush=True)
                print(*(f"    {line}" for line in found[-1].lost), sep="\n", flush=True)
        context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="pages whose name has this")
    parser.add_argument("--preset", default="", choices=["", *PRESETS])
    parser.add_argument("--times", type=int, default=1, help="audits of each page")
    options = parser.parse_args()
    program = shutil.which(os.environ.get("LIGHTHOUSE", "lighthouse"))
    browser = chromium.find()
    if program is None or browser is None:
        name, install = ("Chromium", "apt install chromium") if program else ("Lighthouse", "npm install -g lighthouse")
        print(f"{name} is missing: {install}", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory(prefix="tablero-") as folder,
        running(Path(folder) / "var", "--without-accounts") as site,
        sync_playwright() as play,
    ):
        audit_pages(program, site, play, browser, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
