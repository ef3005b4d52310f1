"""The game options of a tournament's matches."""

from __future__ import annotations

from typing import Any

from games.registry import RULES
from tournaments.terms import Terms


def match_options(terms: Terms, length: int) -> dict[str, Any]:
    """The options of a match to `length`: the usual match of a game may have more of them than a short one.

    A match to 1 point has no cube, so the options of the cube are left out (B13). Options that no match of this game
    has stay in, for the game to refuse.
    """
    rules = RULES.get(terms.variant)
    usual = rules.terms(rules.lengths[0]) if rules else {}
    known = rules.terms(length) if rules else {}
    return {key: value for key, value in terms.options.items() if key in known or key not in usual}


def has_house_options(terms: Terms) -> bool:
    """Whether a match of the tournament would be played by house rules, which are never rated."""
    rules = RULES.get(terms.variant)
    known = [rules.terms(length) for length in {*terms.lengths, *terms.side_lengths}] if rules else []
    return any(of[key].is_house_rule(value) for of in known for key, value in terms.options.items() if key in of)
