"""The sums of a report: error rates, luck and the result without luck, of each side. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from analysis.error_rates import Decision, ErrorSum
from analysis.phases import PHASES
from analysis.report import GRADES, of_side
from games.engine import SIDES, Json, Side, opponent


def summarise_sides(games: Sequence[Json], winner: str) -> Json:
    """What both sides did over the games of a match that `winner` won ("" nobody)."""
    found: Json = {side: _side(games, side) for side in SIDES}
    for side in SIDES:
        own_luck, opponent_luck = (found[each]["luck"]["mwc"] for each in (side, opponent(side)))
        known = winner in SIDES and own_luck is not None and opponent_luck is not None
        found[side]["adjusted"] = round(float(winner == side) - own_luck + opponent_luck, 4) if known else None
    return found


def _side(games: Sequence[Json], side: Side) -> Json:
    decisions, rolls = of_side(games, side, "decisions"), of_side(games, side, "rolls")
    chances = [roll["mwc"] for roll in rolls]
    return {
        "plays": summarise_decisions(each for each in decisions if each["kind"] == "play"),
        "cube": summarise_decisions(each for each in decisions if each["kind"] != "play"),
        "all": summarise_decisions(decisions),
        "phases": {
            phase: summarise_decisions(each for each in decisions if each["phase"] == phase) for phase in PHASES
        },
        "grades": {grade: sum(each["grade"] == grade for each in decisions) for grade in reversed(GRADES)},
        "luck": {
            "rolls": len(rolls),
            "equity": round(sum(roll["luck"] for roll in rolls), 3),
            "mwc": None if None in chances else round(sum(cast("list[float]", chances)), 4),
        },
    }


def summarise_decisions(decisions: Iterable[Json]) -> Json:
    """How many counted and how many were obvious, what all of them lost, and the PR (None: nothing counted)."""
    counted = list(decisions)
    total = ErrorSum.of(
        Decision(kind=each["kind"], phase=each["phase"], loss=each["loss"], obvious=each["obvious"]) for each in counted
    )
    return {
        "decisions": total.decisions,
        "obvious": len(counted) - total.decisions,
        "lost": round(total.lost, 3),
        "pr": None if total.rate is None else round(total.rate, 2),
    }
