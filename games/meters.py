"""What play measures of itself, for whoever watches the site (backgammon.ops.metrics): some microseconds an act.

Numbers of this process since its start. Flags fall in workers, which serve no pages: how late each was waits here until
it is carried to the broker, where all processes add up.
"""

from __future__ import annotations

from collections import deque
from datetime import timedelta

from prometheus_client import Counter, Histogram, disable_created_metrics

disable_created_metrics()  # when a series began: twice as many lines for a moment that nobody asks for

ACK = Histogram(
    "tablero_ack_seconds",
    "From an act's frame to its answer, which leaves after the commit, on the sockets of this process.",
    buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
)
REFUSED = Counter("tablero_refused_frames", "Frames that the sockets of this process refused, by their code.", ["code"])
LATE: deque[float] = deque(maxlen=10_000)
"""Seconds that flags fell after their deadline, not yet carried to the broker."""


def flag_fell(late: timedelta) -> None:
    """A deadline was carried out so long after its moment."""
    LATE.append(max(0.0, late.total_seconds()))
