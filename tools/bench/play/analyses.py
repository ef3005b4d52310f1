"""Match analyses beside live play: check in their rows that they really run."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import psutil  # type: ignore[import-untyped]
import psycopg

from tools.bench.play.cluster import Cluster

SAMPLE_SECONDS = 1.0  # seconds between two samples
PATIENCE = 120.0  # seconds until the analyses have to be running
STILL = 0.05  # of a core: what workers take that have nothing to do


class Sample(NamedTuple):
    """The match analyses that wait and that run, and the judged decisions and rolls of each."""

    waiting: int
    making: int
    done: dict[int, int]


class Watch:
    """Reads the rows each second from `begin` to `end`, in a thread with a connection of its own."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.samples: list[Sample] = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def begin(self, count: int) -> None:
        """Return when so many analyses are running. Raises TimeoutError."""
        wait_until_in_progress(self.cluster, count)
        self.thread.start()

    def end(self) -> None:
        self.over.set()
        self.thread.join()

    def _watch(self) -> None:
        with _rows(self.cluster) as rows:
            self.samples.append(read_sample(rows))
            while not self.over.wait(SAMPLE_SECONDS):
                self.samples.append(read_sample(rows))
            self.samples.append(read_sample(rows))

    def in_progress(self, count: int) -> list[Sample]:
        """Return the checks that found at least so many running."""
        return [each for each in self.samples if each.making >= count]

    @property
    def grown(self) -> list[int]:
        """Return by how many decisions and rolls each analysis grew, of those that did."""
        first, last = self.samples[0].done, self.samples[-1].done
        return [last[card] - first[card] for card in last if last[card] > first[card]]


def read_sample(rows: psycopg.Connection[Any]) -> Sample:
    found = rows.execute("SELECT id, status, done FROM analysis_report ORDER BY id").fetchall()
    states = [status for _, status, _ in found]
    return Sample(states.count("waiting"), states.count("making"), {card: done for card, _, done in found})


def wait_until_in_progress(cluster: Cluster, count: int) -> None:
    """Return when so many analyses are running and each has made progress. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    with _rows(cluster) as rows:
        while True:
            now = read_sample(rows)
            if now.making >= count and sum(done > 0 for done in now.done.values()) >= count:
                return
            if time.monotonic() > end:
                raise TimeoutError(f"{count} analyses were not in progress at once: {now}")
            time.sleep(0.2)


def wait_until_idle(cluster: Cluster) -> None:
    """Return when the analysis workers are idle. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    before = cluster.costs()["analysis"].seconds
    while True:
        time.sleep(1)
        after = cluster.costs()["analysis"].seconds
        if after - before < STILL:
            return
        if time.monotonic() > end:
            raise TimeoutError("the analysis does not come to rest")
        before = after


def priorities(cluster: Cluster) -> str:
    """Return the `nice` of the analysis processes, and of their sessions where Linux has it."""
    processes = [each for pid in cluster.others["analysis"] for each in _family(pid)]
    return (
        f"nice {_once(each.nice() for each in processes)}, sessions {_once(_session(each.pid) for each in processes)}"
    )


def _family(pid: int) -> list[psutil.Process]:
    return [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]


def _session(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/autogroup").read_text().split()[-1]
    except (OSError, IndexError):
        return "none"


def _once(values: Iterable[object]) -> str:
    return ", ".join(sorted({str(value) for value in values}))


def _rows(cluster: Cluster) -> psycopg.Connection[Any]:
    return psycopg.connect(cluster.env["DATABASE_URL"], autocommit=True)
