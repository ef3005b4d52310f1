"""Computer opponents. `engine_for` finds who can play a variant; `why_not` says why nobody can.

Pure: nothing here knows Django or the database, and nothing is loaded before an engine is asked for. An engine that
is not installed is a missing opponent, never an error: the site runs without it.
"""

from __future__ import annotations

from games.bots.engine import Engine, EngineMissing
from games.bots.sage import Sage

__all__ = ["Engine", "EngineMissing", "engine_for", "why_not"]

ENGINES: tuple[Engine, ...] = (Sage(),)
"""In order of preference."""


def engine_for(variant: str) -> Engine | None:
    """The engine that plays `variant` on this machine, or None: `why_not` has the reason."""
    return next((engine for engine in ENGINES if variant in engine.variants and engine.available()), None)


def why_not(variant: str) -> str | None:
    """None exactly when `engine_for` finds an engine; else a code of games/errors.py.

    ``engine_variant``: no engine knows this game. ``engine_missing``: one would, but it cannot run on this machine.
    """
    if engine_for(variant):
        return None
    return "engine_missing" if any(variant in engine.variants for engine in ENGINES) else "engine_variant"
