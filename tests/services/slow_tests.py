"""The tests that `make test-fast` leaves out: those that take longest, in a list that `make slow-tests` writes anew.

A list that is out of date costs seconds and no test, because `make test` runs them all.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

LIST = Path(__file__).with_suffix(".txt")
LONG = 0.15
"""Seconds that all cases of a test function take together from which on it is slow."""
SHARED = 1.0
"""A setup of more seconds builds what many tests share, and is not counted for the first of them."""


def function_of(node_id: str) -> str:
    """The test function of a case, as the list names it."""
    return node_id.partition("[")[0]


def listed() -> frozenset[str]:
    """The slow test functions."""
    return frozenset(LIST.read_text("utf-8").splitlines())


class SlowTests:
    """A plugin of pytest that writes the list at the end of a run of all tests of code."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.duration < SHARED:
            self.seconds[function_of(report.nodeid)] += report.duration

    def pytest_sessionfinish(self) -> None:
        slow = sorted(function for function, seconds in self.seconds.items() if seconds >= LONG)
        LIST.write_text("".join(f"{function}\n" for function in slow), "utf-8")
