"""Lag compensation: the network time of an act is given back to its player, bounded by measurement and a quota.

The idea is that of scalachess' `LagTracker`: the credit of one act is bounded by the round trip that the server itself
measured, and all credits together by a quota that refills with every act. Milliseconds, and pure: nothing is measured
here. A client that answers late on purpose seems to be far away; the quota bounds what that can gain.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.engine import SIDES, Side

QUOTA_MS = 2_500  # that can be given back at one act, after some without lag
REFILL_MS = 500  # that every act adds to the quota


@dataclass(frozen=True, slots=True)
class LagQuota:
    """The milliseconds that may still be given back to each side."""

    white: int = QUOTA_MS
    black: int = QUOTA_MS

    def of(self, side: Side) -> int:
        return self.white if side == "white" else self.black

    def credit(self, side: Side, *, rtt_ms: int, used: int) -> tuple[int, LagQuota]:
        """The part of the `used` time that `side` gets back after a round trip of `rtt_ms`, and the quota after it."""
        returned = max(0, min(rtt_ms, used, self.of(side)))
        left = min(QUOTA_MS, self.of(side) - returned + REFILL_MS)
        return returned, LagQuota(left, self.black) if side == SIDES[0] else LagQuota(self.white, left)
