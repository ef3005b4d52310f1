"""The five strengths of the house bots. docs/bots.md has their scores against each other.

All numbers are equities: 1.0 is one game at the cube as it stands. They were found by `make bench-bots`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Strength:
    """How a player of some strength chooses among rated actions.

    `effort`: the depth of the engine, 1 to 5. `temperature`: that of sampling plays by their equity. `blind`: how often
    a play is overlooked. `habit_weight`: the weight of the habits of `games.bots.beginner_habits`. `max_loss`: plays
    that give away more are never chosen, because beginners see the obvious too. `cube_temperature` and `max_cube_loss`:
    the same as `temperature` and `max_loss` for doubling, taking and naming.
    """

    level: int
    effort: int
    temperature: float
    blind: float
    habit_weight: float
    max_loss: float
    cube_temperature: float
    max_cube_loss: float


BEGINNER, CASUAL, CLUB, EXPERT, WORLD = STRENGTHS = (
    Strength(
        1,
        effort=1,
        temperature=0.075,
        blind=0.28,
        habit_weight=2.5,
        max_loss=0.60,
        cube_temperature=0.090,
        max_cube_loss=0.35,
    ),
    Strength(
        2,
        effort=2,
        temperature=0.050,
        blind=0.18,
        habit_weight=1.3,
        max_loss=0.40,
        cube_temperature=0.060,
        max_cube_loss=0.25,
    ),
    Strength(
        3,
        effort=3,
        temperature=0.032,
        blind=0.10,
        habit_weight=0.5,
        max_loss=0.25,
        cube_temperature=0.036,
        max_cube_loss=0.16,
    ),
    Strength(
        4,
        effort=4,
        temperature=0.020,
        blind=0.05,
        habit_weight=0.0,
        max_loss=0.12,
        cube_temperature=0.018,
        max_cube_loss=0.08,
    ),
    Strength(
        5, effort=5, temperature=0.0, blind=0.0, habit_weight=0.0, max_loss=0.0, cube_temperature=0.0, max_cube_loss=0.0
    ),
)
LEVELS = tuple(strength.level for strength in STRENGTHS)


def strength_of(level: int | None) -> Strength:
    """The strength of a bot's level; without one, an expert's, as bots played before they had levels."""
    return next((strength for strength in STRENGTHS if strength.level == level), EXPERT)
