"""How long a bot thinks: as a person would, a moment over what is plain and some seconds over what is close.

In seconds. Never so long that the clock notices: a fraction of what is left of it.
"""

from __future__ import annotations

from games.bots.player import Decision
from games.bots.whim import Whim

SHORTEST, LONGEST = 0.35, 3.2
CLOSE = 0.04
"""Two plays that differ by this much of a game are half as hard to choose between as two that are equal."""
OF_THE_CLOCK = 1 / 60


def pause(decision: Decision, *, whim: Whim, left: float | None) -> float:
    """How long to think before this decision is shown; `left` is what the bot's clock has, None without one."""
    hard = 0.0 if decision.gap is None else CLOSE / (CLOSE + decision.gap)
    mood = 0.75 + 0.5 * whim.share("mood")
    thinking = SHORTEST + mood * (0.35 + (LONGEST - SHORTEST - 0.85) * hard) if decision.gap is not None else SHORTEST
    thinking = min(thinking, LONGEST)
    return thinking if left is None else max(0.0, min(thinking, left * OF_THE_CLOCK))
