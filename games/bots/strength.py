"""The five strengths of the house's bots. docs/bots.md has what they scored against each other.

All numbers are equities: 1.0 is one game at the cube as it stands. They were found by `make bench-bots`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strength:
    """How a player of some strength chooses among what an engine has judged.

    `effort`: how deep the engine looks, 1 to 5. `heat`: the temperature at which plays are sampled by their equity.
    `blind`: how often a play is not even seen. `lure`: how much the habits of `games.bots.habits` count. `worst`: a
    play that gives away more is never played, for beginners see the obvious too. `cube_heat` and `window`: the same as
    `heat` and `worst` for doubling, taking and naming.
    """

    level: int
    effort: int
    heat: float
    blind: float
    lure: float
    worst: float
    cube_heat: float
    window: float


BEGINNER, CASUAL, CLUB, EXPERT, WORLD = STRENGTHS = (
    Strength(1, effort=1, heat=0.075, blind=0.28, lure=2.5, worst=0.60, cube_heat=0.090, window=0.35),
    Strength(2, effort=2, heat=0.050, blind=0.18, lure=1.3, worst=0.40, cube_heat=0.060, window=0.25),
    Strength(3, effort=3, heat=0.032, blind=0.10, lure=0.5, worst=0.25, cube_heat=0.036, window=0.16),
    Strength(4, effort=4, heat=0.020, blind=0.05, lure=0.0, worst=0.12, cube_heat=0.018, window=0.08),
    Strength(5, effort=5, heat=0.0, blind=0.0, lure=0.0, worst=0.0, cube_heat=0.0, window=0.0),
)
LEVELS = tuple(strength.level for strength in STRENGTHS)


def strength_of(level: int | None) -> Strength:
    """The strength of a bot's level; without one, an expert's, as bots played before they had levels."""
    return next((strength for strength in STRENGTHS if strength.level == level), EXPERT)
