"""Live matches under load: `python -m tests.bench.play_bench --matches 100 --seconds 60` (make bench-play).

Starts its own PostgreSQL and broker, and the whole site on them (`manage.py demo`: server, workers, beat), seats two
players of code at every match and lets each match act once every `--every` seconds. Reports act -> ack and
act -> opponent in milliseconds, errors and memory. Loopback only; it ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from tests.load.player import SocketPlayer
from tests.services import postgres, site, valkey

SEED = """
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from importlib import import_module
from django.conf import settings
from accounts.models import User
from games import services
store = import_module(settings.SESSION_ENGINE).SessionStore
def cookie(user):
    session = store()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return settings.SESSION_COOKIE_NAME + "=" + session.session_key
answer = []
for number in range({matches}):
    pair = [User.objects.create_user(f"{{name}}.{{number}}") for name in ("ana", "bea")]
    seek = services.match_create(creator=pair[0], variant="backgammon", length=15, clock="slow", rated=False)
    services.match_join(match_id=seek.pk, user=pair[1])
    answer.append([seek.pk, *map(cookie, pair)])
"""


@dataclass
class Figures:
    """What the players measured, in seconds."""

    ack: list[float] = field(default_factory=list)
    opponent: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    stale: int = 0


async def play(pair: list[SocketPlayer], figures: Figures, *, every: float, until: float) -> None:
    """One match: an action every `every` seconds until the moment `until`."""
    sent: dict[int, float] = {}

    def heard_by(seat: SocketPlayer) -> None:
        def heard(frame: dict[str, object], moment: float) -> None:
            version = int(str(frame["version"]))
            if version in sent and frame["you"] != acting[0]:
                figures.opponent.append(moment - sent.pop(version))

        seat.heard = heard

    acting: list[str] = [""]
    for seat in pair:
        heard_by(seat)
    loop_start = time.perf_counter() + random.random() * every
    turn = 0
    while time.perf_counter() < until:
        await asyncio.sleep(max(0.0, loop_start + turn * every - time.perf_counter()))
        turn += 1
        due = [seat for seat in pair if seat.due]
        if not due or pair[0].over:
            continue
        seat = due[0]
        action = seat.next_action()
        if action is None:
            continue
        acting[0] = str(seat.frame["you"])
        before, started = seat.frame["version"], time.perf_counter()
        for version in range(before + 1, before + 8):
            sent[version] = started
        try:
            answer, seconds = await seat.act(action)
        except Exception as error:
            figures.errors.append(repr(error))
            continue
        if answer["t"] == "ack":
            figures.ack.append(seconds)
        elif answer["code"] == "stale":
            figures.stale += 1
        else:
            figures.errors.append(f"{action}: {answer}")


def line(name: str, seconds: list[float]) -> str:
    if len(seconds) < 20:
        return f"{name}: only {len(seconds)} measured"
    cuts = statistics.quantiles(seconds, n=100)
    p50, p95, p99, worst = (1000 * value for value in (cuts[49], cuts[94], cuts[98], max(seconds)))
    return f"{name}: n={len(seconds)} p50={p50:.1f} p95={p95:.1f} p99={p99:.1f} max={worst:.1f} ms"


NAMES = ("daphne", "bots", "worker", "beat", "valkey", "redis", "postgres", "demo")


def tree(root: int) -> list[tuple[str, Any]]:
    """A process and everything below it, by program."""
    found = []
    for process in [psutil.Process(root), *psutil.Process(root).children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            command = " ".join(process.cmdline()) or process.name()
            found.append((next((name for name in NAMES if name in command), process.name()), process))
    return found


def totals(root: int) -> tuple[Counter[str], Counter[str]]:
    """(resident MiB, seconds of processor) by program, this one's as "players"."""
    memory: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for name, process in tree(root):
        name = "players" if process.pid == root else name
        with suppress(psutil.NoSuchProcess):  # a session of PostgreSQL that just ended
            memory[name] += process.memory_info().rss // 2**20
            seconds[name] += round(1000 * sum(process.cpu_times()[:2]))
    return memory, seconds


async def run(base: str, tables: list[list[str]], *, seconds: float, every: float) -> Figures:
    figures = Figures()
    pairs = [
        [SocketPlayer(base, match_id, cookie, seed=number) for cookie in cookies]
        for number, (match_id, *cookies) in enumerate(tables)
    ]
    for pair in pairs:
        await asyncio.gather(*(seat.sit() for seat in pair))
    gc.collect()
    gc.freeze()  # the players' own pauses are not the server's
    until = time.perf_counter() + seconds
    await asyncio.gather(*(play(pair, figures, every=every, until=until) for pair in pairs))
    for pair in pairs:
        await asyncio.gather(*(seat.leave() for seat in pair))
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two actions of one match")
    parser.add_argument("--volatile", action="store_true", help="do not wait for the disk at commits")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="tablero-bench-") as folder,
        postgres.fresh(durable=not options.volatile) as database,
        valkey.fresh(Path(folder) / "run") as broker,
    ):
        if database is None or broker is None:
            print(f"PostgreSQL or a broker is missing: {postgres.INSTALL}")
            return 1
        with site.running(Path(folder) / "var", DATABASE_URL=database, REDIS_URL=broker) as club:
            tables = club.ask(SEED.format(matches=options.matches))
            _, before = totals(os.getpid())
            started = time.perf_counter()
            figures = asyncio.run(run(club.url, tables, seconds=options.seconds, every=options.every))
            wall = time.perf_counter() - started
            memory, after = totals(os.getpid())
    print(f"{options.matches} matches, {2 * options.matches} sockets, an action every {options.every} s a match")
    print(line("act -> ack", figures.ack))
    print(line("act -> opponent", figures.opponent))
    print(f"errors: {len(figures.errors)}, looked again: {figures.stale}")
    print("memory MiB: " + ", ".join(f"{name} {size}" for name, size in sorted(memory.items())))
    shares = {name: (after[name] - before[name]) / 10 / wall for name in after}
    print("of one core %: " + ", ".join(f"{name} {share:.0f}" for name, share in sorted(shares.items())))
    for error in figures.errors[:5]:
        print(error)
    return 1 if figures.errors else 0


if __name__ == "__main__":
    sys.exit(main())
