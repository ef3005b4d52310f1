"""Metrics of live play, for `/metrics` (backgammon.ops.metrics): some microseconds an act.

They count this process since its start. Flags fall in workers, which serve no pages: their delays wait here until they
are carried to the broker, where all processes add up.
"""

from __future__ import annotations

from collections import deque
from datetime import timedelta

from prometheus_client import Counter, Histogram, disable_created_metrics

disable_created_metrics()  # when a series began: twice as many lines for an unused moment

ACK_SECONDS = Histogram(
    "tablero_ack_seconds",
    "From an act's frame to its answer, which leaves after the commit, on the sockets of this process.",
    buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
)
REFUSED_FRAMES = Counter(
    "tablero_refused_frames", "Frames that the sockets of this process refused, by their code.", ["code"]
)
PENDING_FLAG_DELAYS: deque[float] = deque(maxlen=10_000)
"""Seconds that flags fell after their deadline, not yet carried to the broker."""


def record_flag_delay(delay: timedelta) -> None:
    """Record how long after its moment a deadline was carried out."""
    PENDING_FLAG_DELAYS.append(max(0.0, delay.total_seconds()))
