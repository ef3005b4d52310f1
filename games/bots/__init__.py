"""Computer opponents. `engine_for` finds who can play a variant; `why_not` says why nobody can.

Pure: nothing here knows Django or the database, and nothing is loaded before an engine is asked for. An engine that
is not installed is a missing opponent, never an error: the site runs without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.bots.engine import Engine, EngineMissing
from games.bots.sage import Sage

__all__ = ["Engine", "EngineMissing", "engine_for", "why_not"]

ENGINES: tuple[Engine, ...] = (Sage(),)
"""In order of preference."""


PLAYED = frozenset({"cube", "cube_cap", "crawford"})
"""The options that the engines understand; with any other one chosen they would misjudge the game."""


def engine_for(variant: str) -> Engine | None:
    """The engine that plays `variant` on this machine, or None: `why_not` has the reason."""
    return next((engine for engine in ENGINES if variant in engine.variants and engine.available()), None)


def why_not(variant: str, options: Mapping[str, Any] | None = None) -> str | None:
    """None exactly when an engine can play this game under these options; else a code of games/errors.py.

    ``engine_variant``: no engine knows this game. ``engine_options``: none plays by these house rules.
    ``engine_missing``: one would, but it cannot run on this machine.
    """
    if not any(variant in engine.variants for engine in ENGINES):
        return "engine_variant"
    if any(value and key not in PLAYED for key, value in (options or {}).items()):
        return "engine_options"
    return None if engine_for(variant) else "engine_missing"
