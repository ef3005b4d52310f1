"""Computer opponents. `player_for` finds who plays a variant at a strength; `why_not` says why nobody can.

Pure: nothing here knows Django or the database, and nothing is loaded before an engine is asked for. An engine that
is not installed is a missing opponent, never an error: the site runs without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.bots.damas import Damas
from games.bots.engine import Engine, EngineMissing, first_able, why_none
from games.bots.player import Decision, Player
from games.bots.roller import Roller
from games.bots.sage import Sage
from games.bots.strength import LEVELS, STRENGTHS, Strength, strength_of

__all__ = [
    "LEVELS",
    "STRENGTHS",
    "Decision",
    "Engine",
    "EngineMissing",
    "Player",
    "Strength",
    "engine_for",
    "player_for",
    "strength_of",
    "why_not",
]

ENGINES: tuple[Engine, ...] = (Sage(), Roller(), Damas())
"""In order of preference."""


def engine_for(variant: str) -> Engine | None:
    """The engine that plays `variant` on this machine, or None: `why_not` has the reason."""
    return first_able(ENGINES, variant)


def player_for(variant: str, level: int | None) -> Player | None:
    """Who plays `variant` at this strength here, or None."""
    engine = engine_for(variant)
    return None if engine is None else Player(engine, strength_of(level))


def why_not(variant: str, options: Mapping[str, Any] | None = None) -> str | None:
    """None exactly when an engine can play this game under these options; else a code of games/errors.py."""
    return why_none(ENGINES, variant, options)
