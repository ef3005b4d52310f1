"""What two players had agreed on, as far as a file tells it: declared, shown by its cells, or as usual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.formats.record import Reading
from games.formats.told import ToldMatch
from games.registry import RULES


def played_with(told: ToldMatch) -> dict[str, Any]:
    """The options that the match was played with: those declared, those that its cells show, else the usual ones."""
    terms = RULES[told.variant].terms(told.length)
    options = {key: term.default for key, term in terms.items()}
    options |= {key: value for key, value in told.options.items() if key in terms}
    highest = max((step.value for game in told.games for step in game.steps), default=0)
    if "cube_cap" in terms and "cube_cap" not in told.options and highest > options["cube_cap"]:
        options["cube_cap"] = next((cap for cap in terms["cube_cap"].choices if cap >= highest), options["cube_cap"])
    if "beavers" in terms and any(game.beavered for game in told.games):
        options["beavers"] = True
    if "auto_doubles" in terms and any(game.stakes > 1 for game in told.games):
        options["auto_doubles"] = True
    return options


def unsaid(told: ToldMatch, options: Mapping[str, Any], reading: Reading) -> Iterator[str]:
    """Switches that the file does not declare, and that would explain what did not fit."""
    if "crawford" in options and "crawford" not in told.options:
        if any(fault.code == "crawford" for fault in reading.faults):
            yield "crawford"
    elif "jacoby" in options and "jacoby" not in told.options and (reading.faults or reading.warnings):
        yield "jacoby"
