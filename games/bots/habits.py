"""The habits of those who have not played long: what lures them, whatever it is worth.

They hit whenever they can, run home with one man, carry men off early, and build towers; a man alone in front of a
rival does not frighten them, because they look at their own plan and not at the rival's dice.
"""

from __future__ import annotations

import re

HIT, RUN, OFF, TOWER = 0.05, 0.03, 0.04, 0.02
HIGH = 4
"""From this many men on one point it is a tower."""

_STEP = re.compile(r"(?P<source>bar|stock|[0-9]+)/(?P<rest>[^ (]+)(?:\((?P<times>[1-4])\))?")


def lure(play: str) -> float:
    """How much a beginner likes a play in its stored form, in equity; 0 for whatever moves no men over points."""
    steps = list(_STEP.finditer(play))
    if not steps:
        return 0.0
    liked = HIT * play.count("*")
    liked += OFF * sum(int(step["times"] or 1) for step in steps if step["rest"].startswith("off"))
    if len(steps) == 1 and not steps[0]["times"]:
        liked += RUN
    landed: dict[str, int] = {}
    for step in steps:
        target = step["rest"].rsplit("/")[-1].rstrip("*")
        landed[target] = landed.get(target, 0) + int(step["times"] or 1)
    return liked + TOWER * sum(men >= HIGH for place, men in landed.items() if place != "off")
