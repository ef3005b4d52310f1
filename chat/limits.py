"""Limits on how much one person may write. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

BURST, BURST_SPAN = 5, timedelta(seconds=10)
MOST_REPEATS = 3
"""The same message so many times in a row is one too many."""
OPEN_AFTER_END = timedelta(days=1)
"""How long after the end of a match one may still write."""
HISTORY = 100  # messages that come at once
REPORTS_A_DAY = 20


def too_fast(times: Sequence[datetime], moment: datetime) -> bool:
    """Whether one more message is too much after those of `times`, the latest first."""
    return len(times) >= BURST and moment - times[BURST - 1] < BURST_SPAN


def repeats_too_often(latest: Sequence[tuple[str, str]], new: tuple[str, str]) -> bool:
    """Whether `new` (text, phrase) repeats the latest messages of `latest` (latest first) once too often."""
    return len(latest) >= MOST_REPEATS - 1 and all(earlier == new for earlier in latest[: MOST_REPEATS - 1])
