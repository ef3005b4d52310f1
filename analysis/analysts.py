"""Which engine judges a game on this machine. Pure; nothing is loaded before an engine is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.engine import Analyst
from analysis.sage import SageAnalyst

ANALYSTS: tuple[Analyst, ...] = (SageAnalyst(),)
"""In order of preference."""


def analyst_for(variant: str) -> Analyst | None:
    """The engine that judges `variant` on this machine, or None: `why_not` has the reason."""
    return next((each for each in ANALYSTS if variant in each.variants and each.available()), None)


def why_not(variant: str, options: Mapping[str, Any] | None = None) -> str | None:
    """None exactly when an engine can judge this game under these options; else a code of analysis/errors.py.

    ``engine_variant``: no engine knows this game. ``engine_options``: none judges by these house rules.
    ``engine_missing``: one would, but it cannot run on this machine.
    """
    known = [each for each in ANALYSTS if variant in each.variants]
    if not known:
        return "engine_variant"
    chosen = {key for key, value in (options or {}).items() if value}
    if not any(chosen <= each.options for each in known):
        return "engine_options"
    return None if analyst_for(variant) else "engine_missing"
