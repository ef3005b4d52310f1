"""Infer the options of a parsed match: declared in the file, shown by its cells, or the defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.formats.parsed import ParsedMatch
from games.formats.record import Reading
from games.registry import RULES


def inferred_options(parsed: ParsedMatch) -> dict[str, Any]:
    """The options of the match: the declared ones, those that its cells show, else the defaults."""
    terms = RULES[parsed.variant].terms(parsed.length)
    options = {key: term.default for key, term in terms.items()}
    options |= {key: value for key, value in parsed.options.items() if key in terms}
    highest = max((game.highest_cube for game in parsed.games), default=0)
    if "cube_cap" in terms and "cube_cap" not in parsed.options and highest > options["cube_cap"]:
        caps = [cap for cap in terms["cube_cap"].choices if cap >= highest and not terms["cube_cap"].is_house_rule(cap)]
        options["cube_cap"] = min(caps, default=options["cube_cap"])
    if "beavers" in terms and any(game.beavered for game in parsed.games):
        options["beavers"] = True
    if "auto_doubles" in terms and any(game.stakes > 1 for game in parsed.games):
        options["auto_doubles"] = True
    return options


def undeclared_switches(parsed: ParsedMatch, options: Mapping[str, Any], reading: Reading) -> Iterator[str]:
    """Options that the file does not declare and that may explain the faults of a reading."""
    if "crawford" in options and "crawford" not in parsed.options:
        if any(fault.code == "crawford" for fault in reading.faults):
            yield "crawford"
    elif "jacoby" in options and "jacoby" not in parsed.options and (reading.faults or reading.warnings):
        yield "jacoby"
