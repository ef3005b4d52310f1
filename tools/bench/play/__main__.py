"""Live play under load: `python -m tools.bench.play --matches 100 200 300 500` (make bench-play).

On a cluster of its own: PostgreSQL, a broker, two web processes with half of the players at each, workers and beat. The
players are a separate process on the same machine; their share of the processor is printed, too.

`--only analysis` plays the first number of matches alone, then beside match analyses, and alone again.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psutil  # type: ignore[import-untyped]

from tools.bench.play import analyses, floors, percentiles, profiled_daphne
from tools.bench.play.cluster import Cluster, Cost, ServicesMissing, running_cluster
from tools.services.environment import ROOT

FLOODS = {"sync": '{"t":"sync","after":0}', "ping": '{"t":"ping"}', "noise": "x" * 200}
ANALYSTS = 3  # match analyses that run at once
QUICKEST = 20.0  # seconds that a worker takes for a deep one at least
RATES = (100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1400)
PATIENCE_MS = 50.0
MOSTLY = 0.95  # of the checks of their rows; one may fall between two analyses
TIMES = ("act -> ack ms", "act -> opponent ms", "ping -> pong ms")
HEAD = ("matches", "acts/s", *TIMES, "web ms/act", "refused", "errors")


class Crowd:
    """The process of the players: it is given its job, and waits until everybody has connected."""

    def __init__(self, cluster: Cluster, process: subprocess.Popen[str]) -> None:
        self.cluster, self.process = cluster, process

    def receive(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the players are gone")
        return json.loads(line)

    def begin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def costs(self) -> dict[str, Cost]:
        return self.cluster.costs(players=self.process.pid)


@contextmanager
def crowd(cluster: Cluster, **job: Any) -> Iterator[Crowd]:
    """Start a player process and wait until everybody has connected."""
    command = [sys.executable, "-m", "tools.bench.play.load_process"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        people = Crowd(cluster, process)
        people.receive()
        yield people
    finally:
        process.kill()
        process.wait()


def seats(cluster: Cluster, tables: Sequence[Any]) -> list[list[Any]]:
    """Return the matches with the URL of each player: each web process has half of them, and one side of each match."""
    urls = [web.url for web in cluster.webs]
    return [
        [match_id, *((urls[(number + side) % len(urls)], cookie) for side, cookie in enumerate(cookies))]
        for number, (match_id, *cookies) in enumerate(tables)
    ]


def shares(before: dict[str, Cost], after: dict[str, Cost], seconds: float) -> str:
    """Return the part of a core that each process used."""
    used = {name: (after[name].seconds - cost.seconds) / seconds for name, cost in before.items()}
    return ", ".join(f"{name} {share:.0%}" for name, share in used.items())


class Run(NamedTuple):
    """Matches that were played for some seconds: what the players measured, and what each process had used.

    `stolen`: the part of that time in which the host let the processors wait that had something to do.
    """

    done: Any
    empty: dict[str, Cost]
    before: dict[str, Cost]
    after: dict[str, Cost]
    seconds: float
    stolen: float

    @property
    def shares(self) -> str:
        return shares(self.before, self.after, self.seconds)


def played(
    cluster: Cluster, tables: Sequence[Any], options: argparse.Namespace, *, first: Callable[[], None] = lambda: None
) -> Run:
    """Run once; `first` is called when everybody has connected."""
    empty = cluster.costs()
    job = {"job": "load", "tables": seats(cluster, tables), "seconds": options.seconds, "every": options.every}
    with crowd(cluster, **job) as people:
        first()
        before, waited, started = people.costs(), stolen_seconds(), time.perf_counter()
        people.begin()
        done = people.receive()
        seconds = time.perf_counter() - started
        stolen = (stolen_seconds() - waited) / seconds / (os.cpu_count() or 1)
        return Run(done, empty, before, people.costs(), seconds, stolen)


def stolen_seconds() -> float:
    """How long, since the start of this virtual machine, its processors waited for the host; 0 where nobody counts."""
    return float(getattr(psutil.cpu_times(), "steal", 0.0))


def loads(cluster: Cluster, tables: Sequence[Any], options: argparse.Namespace) -> int:
    """Run once for each number of matches and print a table; returns the number of errors."""
    rows, errors, summaries = [], 0, []
    found = floors_of(cluster, [count / options.every for count in options.matches])
    for count in options.matches:
        run = played(cluster, tables[:count], options)
        done, before, after = run.done, run.before, run.after
        grown = sum(before[name].memory - cost.memory for name, cost in run.empty.items() if name.startswith("web"))
        rows.append(row(count, done, options.seconds, web_seconds(after) - web_seconds(before)))
        errors += len(done["errors"])
        print(f"{count} matches, {2 * count} sockets, an action every {options.every:g} s a match")
        print(f"  of one core: {run.shares}")
        print(f"  memory: {grown / 1024 / (2 * count):.0f} KiB a socket;", memory(after))
        print(*(f"  {error}" for error in [*done["errors"][:5], done["refused"] or "nothing refused"]), sep="\n")
        summaries.append(summary(count, run, options, found[count / options.every]))
    print("\nMilliseconds are p50 / p95 / p99 / most.")
    print(percentiles.table(HEAD, rows), flush=True)
    for each in summaries:
        print(json.dumps(each), flush=True)
    return errors


def summary(count: int, run: Run, options: argparse.Namespace, floor: Floor) -> dict[str, Any]:
    """Return the figures of one run for a program, with the floors of this machine at its rate."""
    done, acts = run.done, max(1, len(run.done["ack"]))
    return {
        "matches": count,
        "acts_per_s": round(len(done["ack"]) / options.seconds, 1),
        "ack_p50_ms": milliseconds(0.5, done["ack"]),
        "ack_p95_ms": milliseconds(0.95, done["ack"]),
        "rival_p95_ms": milliseconds(0.95, done["rival"]),
        "errors": len(done["errors"]),
        "web_ms_per_act": round(1000 * (web_seconds(run.after) - web_seconds(run.before)) / acts, 2),
        "stolen_pct": round(100 * run.stolen, 1),
        **floor._asdict(),
    }


def milliseconds(share: float, seconds: Sequence[float]) -> float | None:
    return round(1000 * percentiles.at(share, seconds), 2) if seconds else None


class Floor(NamedTuple):
    """What this machine can do at best at a rate."""

    floor_commit_p95_ms: float
    floor_echo_p95_ms: float


def floors_of(cluster: Cluster, rates: Sequence[float]) -> dict[float, Floor]:
    """Return the floors at these rates of acts a second."""
    return {rate: Floor(floors.commit_p95(cluster, rate), floors.echo_p95(rate)) for rate in rates}


def limit(cluster: Cluster, tables: Sequence[Any], options: argparse.Namespace) -> int:
    """Raise the rate until the p95 of the answers passes `PATIENCE_MS`, and print the last one that kept below it."""
    best, errors = None, 0
    for rate in RATES:
        floor = Floor(floors.commit_p95(cluster, rate), floors.echo_p95(rate))
        step = argparse.Namespace(**{**vars(options), "every": len(tables) / rate})
        run = played(cluster, tables, step)
        found = {"rate": rate, **summary(len(tables), run, step, floor)}
        errors += len(run.done["errors"])
        print(f"{rate} acts a second: {json.dumps(found)}; of one core: {run.shares}", flush=True)
        if found["acts_per_s"] < MOSTLY * rate or found["ack_p95_ms"] > PATIENCE_MS:
            break
        best = found
    print(json.dumps(best), flush=True)
    return errors


def row(count: int, done: Any, seconds: float, busy: float) -> tuple[object, ...]:
    """Return a line of the table. `busy` are the processor seconds of the web processes, heartbeats included."""
    spreads = (percentiles.spread(done[name]) for name in ("ack", "rival", "pong"))
    acts, refused = len(done["ack"]), sum(done["refused"].values())
    return count, f"{acts / seconds:.1f}", *spreads, f"{1000 * busy / max(acts, 1):.1f}", refused, len(done["errors"])


def web_seconds(costs: dict[str, Cost]) -> float:
    return sum(cost.seconds for name, cost in costs.items() if name.startswith("web"))


def memory(costs: dict[str, Cost]) -> str:
    return ", ".join(f"{name} {cost.memory // 2**20} MiB" for name, cost in costs.items())


def fan_out(cluster: Cluster, table: Any, options: argparse.Namespace) -> None:
    """Measure one match with `--spectators` spectators."""
    urls = [web.url for web in cluster.webs]
    cookies = cluster.ask("spectators", options.spectators)
    watchers = [(urls[number % len(urls)], cookie) for number, cookie in enumerate(cookies)]
    job = {"job": "fan_out", "tables": seats(cluster, [table]), "watchers": watchers, "acts": 20, "every": 0.5}
    empty = cluster.costs()
    with crowd(cluster, **job) as people:
        before, started = people.costs(), time.perf_counter()
        people.begin()
        done = people.receive()
        after = people.costs()
        used = shares(before, after, time.perf_counter() - started)
    busy = 1000 * (web_seconds(after) - web_seconds(before)) / 20
    grown = sum(before[name].memory - cost.memory for name, cost in empty.items() if name.startswith("web"))
    print(f"\n{options.spectators} spectators of one match, 20 acts, p50 / p95 / p99 / most in milliseconds")
    print(
        f"  act -> the last spectator: {percentiles.spread(done['last'])}   (each: {percentiles.spread(done['each'])})"
    )
    print(f"  act -> ack: {percentiles.spread(done['ack'])}; not received: {done['missed']}")
    print(f"  the web processes compute {busy:.0f} ms an act, heartbeats and all; of one core: {used}")
    print(f"  memory: {grown / 1024 / options.spectators:.0f} KiB a spectator", flush=True)


def come_back(cluster: Cluster, tables: Sequence[Any]) -> None:
    """Cut all connections at once; then kill and restart a web process."""
    urls = [web.url for web in cluster.webs]
    count = len(tables)
    at_first_web = [(match_id, *((urls[0], cookie) for cookie in cookies)) for match_id, *cookies in tables]
    with crowd(cluster, job="come_back", tables=seats(cluster, tables), cut=2 * count) as people:
        people.begin()
        done = people.receive()
    print(f"\n{2 * count} sockets cut at once, all back at once, seconds until the state is there")
    print(f"  p50 {percentiles.at(0.5, done['seconds']):.2f}, the last {max(done['seconds']):.2f}")
    with crowd(cluster, job="come_back", tables=at_first_web, cut=0, killed=urls[0]) as people:
        people.begin()
        cluster.webs[0].kill()
        cluster.webs[0].start()
        up = time.time()
        done = people.receive()
    back = up - done["cut_at"]
    after = [seconds - back for seconds in done["seconds"]]
    print(f"{2 * count} sockets at one web process, which is killed and started again (it answers after {back:.1f} s)")
    print(
        f"  since then: p50 {percentiles.at(0.5, after):.2f}, the last {max(after):.2f}; tries: {max(done['tries'])}",
        flush=True,
    )


def flood(cluster: Cluster, tables: Sequence[Any], options: argparse.Namespace) -> None:
    """One member sends a thousand messages a second, and reconnects when disconnected."""
    [cookie] = cluster.ask("spectators", 1)
    flooder = (cluster.webs[0].url, tables[0][0], cookie)
    for kind, message in FLOODS.items():
        job = {"job": "flood", "tables": seats(cluster, tables), "seconds": options.seconds / 2, "every": options.every}
        with crowd(cluster, **job, flooder=flooder, message=message, again=options.again) as people:
            before, started = people.costs(), time.perf_counter()
            people.begin()
            done = people.receive()
            used = shares(before, people.costs(), time.perf_counter() - started)
        closed = done["closed"]
        longest = max((seconds for seconds, _ in closed), default=float("inf"))
        codes = sorted({code for _, code in closed})
        print(f"\nA flood of 1,000 '{kind}' a second beside {len(tables)} matches: {done['sent']} sent")
        print(f"  closed {len(closed)} times with {codes}, after {longest:.2f} s at most; of one core: {used}")
        for phase in ("peace", "flood"):
            times, errors = percentiles.spread(done[phase]["ack"]), len(done[phase]["errors"])
            print(f"  act -> ack, {phase}: {times} ms, {errors} errors")
        sys.stdout.flush()


def beside_analyses(cluster: Cluster, tables: Sequence[Any], options: argparse.Namespace) -> int:
    """Play alone, then beside match analyses, and alone again; returns the number of errors."""
    cards = ANALYSTS * (1 + math.ceil(options.seconds / QUICKEST))
    cluster.ask("finished", cards)
    print(f"\n{len(tables)} matches beside {ANALYSTS} workers of the analysis: {analyses.priorities(cluster)}")
    print("  act -> ack is p50 / p95 / p99 / most in milliseconds", flush=True)
    analyses.wait_until_idle(cluster)
    runs = [played(cluster, tables, options)]
    print_run("peace", runs[0])
    cluster.ask("asked")
    watch = analyses.Watch(cluster)
    runs.append(played(cluster, tables, options, first=lambda: watch.begin(ANALYSTS)))
    watch.end()
    print_run("analyses", runs[1])
    in_progress, samples = len(watch.in_progress(ANALYSTS)), len(watch.samples)
    print(
        f"    {ANALYSTS} of {cards} deep analyses were in progress at {in_progress} of {samples} checks, one a second"
    )
    print("    decisions and rolls judged meanwhile:", " + ".join(map(str, watch.grown)))
    cluster.ask("given_up")
    analyses.wait_until_idle(cluster)
    runs.append(played(cluster, tables, options))
    print_run("peace", runs[2])
    before, busy, after = (run.done["ack"] for run in runs)
    ratio = percentiles.at(0.95, busy) / percentiles.at(0.95, before + after)
    print(f"  p95 beside the analyses / p95 in peace: {ratio:.2f}", flush=True)
    idle = in_progress < MOSTLY * samples or len(watch.grown) < ANALYSTS
    if idle:
        print(f"  but there were not {ANALYSTS} analyses all the time: it shows nothing", flush=True)
    return sum(len(run.done["errors"]) for run in runs) + idle


def print_run(name: str, run: Run) -> None:
    refused, errors = sum(run.done["refused"].values()), len(run.done["errors"])
    print(f"  {name}: {len(run.done['ack'])} acts, act -> ack {percentiles.spread(run.done['ack'])} ms;", end=" ")
    print(f"{refused} refused, {errors} errors; of one core: {run.shares}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, nargs="+", default=[100, 200, 300, 500])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two actions of one match")
    parser.add_argument("--spectators", type=int, default=1000, help="of one match; 0: leave that out")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=PARTS[:-2])
    parser.add_argument("--again", action="store_true", help="the flooder reconnects each time it is disconnected")
    parser.add_argument("--webs", type=int, default=2, help="web processes")
    parser.add_argument("--sqlite", action="store_true", help="on SQLite, with one web process")
    parser.add_argument("--volatile", action="store_true", help="do not wait for the disk at commits")
    parser.add_argument("--profile", action="store_true", help="the first web process under cProfile (and slower)")
    options = parser.parse_args()
    most, errors = max(options.matches), 0
    profile = Path(tempfile.mkdtemp(prefix="tablero-profile-")) / "web" if options.profile else None
    try:
        analysts = ANALYSTS if "analysis" in options.only else 1
        durable = not options.volatile
        webs = 1 if options.sqlite else options.webs
        with running_cluster(
            webs=webs, analysts=analysts, durable=durable, sqlite=options.sqlite, profile=profile
        ) as cluster:
            tables = cluster.ask("tables", most)
            with crowd(cluster, job="load", tables=seats(cluster, tables[:10]), seconds=3, every=0.2) as people:
                people.begin()  # what is loaded at the first use belongs to nobody's socket
                people.receive()
            if "load" in options.only:
                errors = loads(cluster, tables, options)
            if "fan-out" in options.only:
                fan_out(cluster, tables[0], options)
            if "back" in options.only:
                come_back(cluster, tables)
            if "flood" in options.only:
                flood(cluster, tables[: options.matches[0]], options)
            if "limit" in options.only:
                errors += limit(cluster, tables, options)
            if "analysis" in options.only:
                errors += beside_analyses(cluster, tables[: options.matches[0]], options)
    except ServicesMissing as error:
        print(error, file=sys.stderr)
        return 1
    if profile is not None:
        print(profiled_daphne.top(str(profile)))
        shutil.rmtree(profile.parent)
    return 1 if errors else 0


PARTS = ("load", "fan-out", "back", "flood", "analysis", "limit")

if __name__ == "__main__":
    sys.exit(main())
