"""One match of a fault run, and its two bots."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Sequence

from tools.faults.play.bot import Bot


class Table:
    """One match and its two bots. `acked` has the times of its acknowledged acts."""

    def __init__(self, match_id: str, bots: Sequence[Bot]) -> None:
        self.match_id, self.bots = match_id, bots
        self.acked: list[float] = []
        self.closed = False

    @property
    def over(self) -> bool:
        return self.closed or any(bot.over for bot in self.bots)

    @property
    def asleep(self) -> bool:
        """Whether it waits for the server to hold a seat, and nobody acts until then."""
        return any(bot.asleep for bot in self.bots)

    async def play(self) -> None:
        try:
            await asyncio.gather(*(bot.play() for bot in self.bots))
        finally:
            self.closed = True

    def first_after(self, moment: float) -> float | None:
        """Return the time of the first act that was acknowledged after `moment`."""
        place = bisect_right(self.acked, moment)
        return self.acked[place] if place < len(self.acked) else None
