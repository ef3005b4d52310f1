"""Computer opponents. `player_for` finds a player for a variant and strength; `why_unavailable` says why there is none.

Pure: no Django and no database, and engines are loaded only when they are used. An engine that is not installed is a
missing opponent, never an error: the site runs without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.bots.damas import Damas
from games.bots.engine import Engine, EngineMissing, first_available, unavailable_reason
from games.bots.expectimax import Expectimax
from games.bots.gnubg import Gnubg
from games.bots.judge import JudgedEngine
from games.bots.plain import Plain
from games.bots.player import Decision, Player
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
    "why_unavailable",
]

ENGINES: tuple[Engine, ...] = (Sage(), JudgedEngine(Gnubg()), JudgedEngine(Plain()), Expectimax(), Damas())
"""In order of preference: `engine_for` takes the first that runs on this machine."""


def engine_for(variant: str) -> Engine | None:
    """The engine that plays `variant` on this machine, or None; see `why_unavailable`."""
    return first_available(ENGINES, variant)


def player_for(variant: str, level: int | None) -> Player | None:
    """The player of `variant` at this strength, or None."""
    engine = engine_for(variant)
    return None if engine is None else Player(engine, strength_of(level))


def why_unavailable(variant: str, options: Mapping[str, Any] | None = None) -> str | None:
    """None exactly when an engine can play this game under these options; else a code of games/errors.py."""
    return unavailable_reason(ENGINES, variant, options)
