"""The thinking time of a bot in seconds: short for clear decisions, longer for close ones, as a person's.

Always a small fraction of the time left on the clock.
"""

from __future__ import annotations

from games.bots.player import Decision
from games.bots.seeded_random import SeededRandom

SHORTEST, LONGEST = 0.35, 3.2
CLOSE = 0.04
"""The equity difference at which a choice is half as hard as between two equal plays."""
OF_THE_CLOCK = 1 / 60


def thinking_seconds(decision: Decision, *, seeded: SeededRandom, left: float | None) -> float:
    """Seconds to wait before a decision is shown; `left` is the time on the bot's clock, None without a clock."""
    hard = 0.0 if decision.gap is None else CLOSE / (CLOSE + decision.gap)
    mood = 0.75 + 0.5 * seeded.uniform("mood")
    thinking = SHORTEST + mood * (0.35 + (LONGEST - SHORTEST - 0.85) * hard) if decision.gap is not None else SHORTEST
    thinking = min(thinking, LONGEST)
    return thinking if left is None else max(0.0, min(thinking, left * OF_THE_CLOCK))
