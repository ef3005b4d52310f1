"""What the way of an act costs its player is given back to him: never more than was measured, and never without end.

The idea is that of scalachess' `LagTracker`: the credit of one act is bounded by the round trip that the server itself
measured, and all credits together by a quota that refills with every act. Milliseconds, and pure: nothing is measured
here. A client that answers late seems to be far away; the quota is what this can gain him.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.engine import SIDES, Side

FULL = 2_500  # what can be given back at one act, after calm ones
REFILL = 500  # what every act adds to the quota


@dataclass(frozen=True, slots=True)
class Quota:
    """What may still be given back to each side."""

    white: int = FULL
    black: int = FULL

    def of(self, side: Side) -> int:
        return self.white if side == "white" else self.black

    def credit(self, side: Side, *, trip: int, used: int) -> tuple[int, Quota]:
        """What `side` gets back of the `used` time of an act after a round trip of `trip`, and the quota after it."""
        given = max(0, min(trip, used, self.of(side)))
        left = min(FULL, self.of(side) - given + REFILL)
        return given, Quota(left, self.black) if side == SIDES[0] else Quota(self.white, left)
