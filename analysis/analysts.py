"""Which engine judges a game on this machine. Pure; nothing is loaded before an engine is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.engine import Analyst
from analysis.judged_analyst import JudgedAnalyst
from analysis.sage_analyst import SageAnalyst
from games.bots.engine import first_available, unavailable_reason
from games.bots.gnubg import Gnubg
from games.bots.plain import Plain

ANALYSTS: tuple[Analyst, ...] = (SageAnalyst(), JudgedAnalyst(Gnubg()), JudgedAnalyst(Plain()))
"""In order of preference: `analyst_for` takes the first that runs on this machine."""


def analyst_for(variant: str) -> Analyst | None:
    """The engine that judges `variant` on this machine, or None: `why_not` has the reason."""
    return first_available(ANALYSTS, variant)


def why_not(variant: str, options: Mapping[str, Any] | None = None) -> str | None:
    """None exactly when an engine can judge this game under these options; else a code of analysis/errors.py."""
    return unavailable_reason(ANALYSTS, variant, options)
