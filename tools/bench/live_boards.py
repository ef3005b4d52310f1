"""Measure sixteen live boards on one page: `python -m tools.bench.live_boards` (make bench-live-boards).

On the cluster of `tools.bench.play` (PostgreSQL, a broker, real daphne), with players at real sockets. A Chromium shows
the page, with the processor as it is and slowed down four times; a socket beside it counts what the server sends. Then
a page draws the same positions with small boards and with large ones. Loopback only.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import threading
import time
from collections import Counter
from typing import Any

import orjson

from tools.bench.play import percentiles
from tools.bench.play.__main__ import crowd, seats, shares
from tools.bench.play.cluster import Cluster, ServicesMissing, running_cluster
from tools.bench.play.websocket_client import opened
from tools.services import chromium
from tools.services.environment import ROOT

BOARDS = 16
SLOWED = 4
LONG = 50  # milliseconds; a longer frame is visible
HEAD = ("processor", "fps", "long frames", "longest ms", "heap MiB", "nodes", "layouts/s", "script ms/s", "frames/s in")
GAPS = """() => {
  const gaps = (window.gaps = []);
  let before = performance.now();
  const frame = (now) => { gaps.push(now - before); before = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
}"""
DRAWN = """async ([small, count, turns]) => {
  const { MiniBoard } = await import('/static/js/live-boards/mini-board.js');
  const { boardFor } = await import('/static/js/boards.js');
  const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/static/css/board.css' });
  await new Promise((done) => { sheet.onload = done; document.head.append(sheet); });
  const place = document.querySelector('#live-boards');
  place.replaceChildren();
  const checkers = (shift) => Array.from({ length: 24 }, (_, i) => (i + shift) % 5 === 0 ? 3 : 0);
  const side = (shift) => ({ points: checkers(shift), bar: 0, off: 0, stock: 0 });
  const position = (n) => ({
    family: 'points', phase: 'move', turn: 'white', dice: [1 + n % 6, 1 + (n * 5) % 6], pips: null, outcome: null,
    cube: { value: 1, owner: null, offered: null, dead: false }, tree: null,
    board: { white: side(n), black: side(2 * n + 1) },
  });
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const began = performance.now();
  const boards = Array.from({ length: count }, () => {
    const holder = document.createElement('div');
    holder.className = small ? 'live-board-drawing' : 'bd';
    place.append(holder);
    if (small) {
      const board = new MiniBoard();
      holder.append(board.svg);
      return (p) => board.show(p, null);
    }
    const board = boardFor(holder, position(0), { direction: 'ccw', bottom: 'white' });
    return (p) => board.set({ position: p, you: null, may: [], last: null, game: 1 });
  });
  boards.forEach((show) => show(position(0)));
  const made = performance.now() - began;
  await frame();
  let spent = 0;
  const first = performance.now();
  for (let turn = 1; turn <= turns; turn += 1) {
    const start = performance.now();
    boards.forEach((show) => show(position(turn)));
    void place.getBoundingClientRect().height;
    spent += performance.now() - start;
    await frame();
  }
  const frames = (performance.now() - first) / turns;
  return { made, each: spent / turns / count, frames, nodes: place.querySelectorAll('*').length };
}"""


class Listener(threading.Thread):
    """A socket that receives the same as the page: it counts frames and bytes by kind."""

    def __init__(self, base: str) -> None:
        super().__init__(daemon=True)
        self.url = f"{base.replace('http', 'ws', 1)}/ws/wall/"
        self.frames: Counter[str] = Counter()
        self.sizes: Counter[str] = Counter()
        self.boards: Counter[str] = Counter()
        self.done = threading.Event()

    def run(self) -> None:
        asyncio.run(self._listen())

    async def _listen(self) -> None:
        wire = await opened(self.url, "", received=self._received, closed=lambda code: None)
        pinged_at = 0.0
        while not self.done.is_set():
            await asyncio.sleep(0.1)
            if time.monotonic() - pinged_at > 5:
                pinged_at = time.monotonic()
                wire.send(b'{"t":"ping"}')
        wire.leave()

    def _received(self, text: bytes) -> None:
        frame = orjson.loads(text)
        self.frames[frame["t"]] += 1
        self.sizes[frame["t"]] += len(text)
        if frame["t"] == "board":
            self.boards[frame["id"]] += 1

    def clear(self) -> None:
        for counter in (self.frames, self.sizes, self.boards):
            counter.clear()


def metrics(session: Any) -> dict[str, float]:
    reported = session.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in reported}


def measure_page(
    page: Any, session: Any, listener: Listener, *, name: str, rate: int, seconds: float
) -> tuple[object, ...]:
    """Show the page for some seconds with its processor slowed down: a line of the table."""
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.evaluate(GAPS)
    page.wait_for_timeout(1000)
    page.evaluate("window.gaps.length = 0")
    listener.clear()
    before, began = metrics(session), time.monotonic()
    page.wait_for_timeout(seconds * 1000)
    passed = time.monotonic() - began
    after, gaps = metrics(session), page.evaluate("window.gaps")
    grown = {key: (after[key] - before[key]) / passed for key in ("LayoutCount", "ScriptDuration")}
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return (
        name,
        f"{len(gaps) / passed:.1f}",
        sum(gap > LONG for gap in gaps),
        f"{max(gaps):.0f}",
        f"{after['JSHeapUsedSize'] / 2**20:.1f}",
        f"{after['Nodes']:.0f}",
        f"{grown['LayoutCount']:.1f}",
        f"{1000 * grown['ScriptDuration']:.1f}",
        f"{sum(listener.frames.values()) / passed:.1f}",
    )


def measure_drawing(page: Any) -> None:
    """Measure both ways to draw a board, on one page, one after the other."""
    print(f"\nDrawing {BOARDS} boards, 60 positions each")
    rows = []
    for name, small in (("small", True), ("large", False)):
        timing = page.evaluate(DRAWN, [small, BOARDS, 60])
        made, each, frames = f"{timing['made']:.0f}", f"{timing['each']:.2f}", f"{timing['frames']:.0f}"
        rows.append((name, made, each, frames, timing["nodes"]))
    print(percentiles.table(("board", "made ms", "ms a position", "ms a frame", "elements"), rows), flush=True)


def with_static_files(cluster: Cluster) -> None:
    """Collect the static files, which a web process looks for when it starts."""
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(collect, cwd=ROOT, env=cluster.env, check=True)
    for web in cluster.webs:
        web.kill()
        web.start()


def watch(cluster: Cluster, options: argparse.Namespace) -> None:
    with_static_files(cluster)
    tables = cluster.ask("tables", BOARDS)
    job = {"job": "load", "tables": seats(cluster, tables), "seconds": 4 * options.seconds + 60, "every": options.every}
    listener = Listener(cluster.webs[0].url)
    from playwright.sync_api import sync_playwright

    with crowd(cluster, **job) as people, sync_playwright() as play:
        people.begin()
        browser = play.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{cluster.webs[0].url}/wall/")
        page.wait_for_function(f"() => document.querySelectorAll('.live-board').length === {BOARDS}", timeout=60_000)
        listener.start()
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")
        before, began = people.costs(), time.perf_counter()
        fast = measure_page(page, session, listener, name="as it is", rate=1, seconds=options.seconds)
        used = shares(before, people.costs(), time.perf_counter() - began)
        received = (dict(listener.frames), dict(listener.sizes), max(listener.boards.values(), default=0))
        slow = measure_page(page, session, listener, name=f"{SLOWED} x slower", rate=SLOWED, seconds=options.seconds)
        print(f"{BOARDS} boards on one page, an action every {options.every:g} s a match, {options.seconds:g} s each")
        print(percentiles.table(HEAD, [fast, slow]))
        print_received(received, options.seconds)
        print(f"  of one core: {used}", flush=True)
        listener.done.set()
        measure_drawing(page)
        browser.close()


def print_received(received: tuple[dict[str, int], dict[str, int], int], seconds: float) -> None:
    """Print what one socket received in a second."""
    frames, sizes, most = received
    kinds = ", ".join(f"{frames[kind]} {kind} of {sizes[kind] // frames[kind]} bytes" for kind in sorted(frames))
    print(
        f"  to a wall: {sum(frames.values()) / seconds:.1f} frames/s, {sum(sizes.values()) / seconds / 1024:.1f} KiB/s"
    )
    print(f"  ({kinds}; the quickest board {most / seconds:.2f} a second)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two actions of one match")
    options = parser.parse_args()
    if chromium.find() is None:
        print("Chromium is missing: apt install chromium", file=sys.stderr)
        return 1
    try:
        with running_cluster(webs=1) as cluster:
            watch(cluster, options)
    except ServicesMissing as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
