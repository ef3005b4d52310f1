"""The habits of beginners: what attracts them, whatever its equity.

They hit whenever they can, run home with one checker, bear off early, and stack checkers; they leave blots, because
they look at their own plan and not at the opponent's dice.
"""

from __future__ import annotations

import re

HIT, RUN, OFF, STACK = 0.05, 0.03, 0.04, 0.02
STACKED = 4
"""The number of checkers on a point from which it is a stack."""

_STEP = re.compile(r"(?P<source>bar|stock|[0-9]+)/(?P<rest>[^ (]+)(?:\((?P<times>[1-4])\))?")


def habit_bonus(play: str) -> float:
    """The equity that a beginner adds to a play in canonical form; 0 for actions without checker moves."""
    steps = list(_STEP.finditer(play))
    if not steps:
        return 0.0
    bonus = HIT * play.count("*")
    bonus += OFF * sum(int(step["times"] or 1) for step in steps if step["rest"].startswith("off"))
    if len(steps) == 1 and not steps[0]["times"]:
        bonus += RUN
    landed: dict[str, int] = {}
    for step in steps:
        target = step["rest"].rsplit("/")[-1].rstrip("*")
        landed[target] = landed.get(target, 0) + int(step["times"] or 1)
    return bonus + STACK * sum(count >= STACKED for place, count in landed.items() if place != "off")
