"""How much one person may say. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

AT_ONCE, SPAN = 5, timedelta(seconds=10)
ALIKE = 3
"""The same message so many times in a row is one too many."""
KEPT_OPEN = timedelta(days=1)
"""How long after the end of a match one may still write."""
HISTORY = 100  # messages that come at once
REPORTS_A_DAY = 20


def too_fast(times: Sequence[datetime], moment: datetime) -> bool:
    """Whether one more message is too much after those of `times`, the latest first."""
    return len(times) >= AT_ONCE and moment - times[AT_ONCE - 1] < SPAN


def too_alike(said: Sequence[tuple[str, str]], new: tuple[str, str]) -> bool:
    """Whether `new` (text, phrase) was just said twice in a row; `said` begins with the latest."""
    return len(said) >= ALIKE - 1 and all(one == new for one in said[: ALIKE - 1])
