"""Finished matches with everything that their pages show."""

from __future__ import annotations

from accounts.models import User
from games.models import Match
from tests.games.finished_matches import keep, sample
from tests.replayed_state import replayed_state


def over(name: str, white: User, black: User, **more: object) -> Match:
    """The match of a file in tests/data/matches, as if these two users had played it here."""
    record = sample(name)
    match = keep(record, white, black, version=sum(len(game.actions) for game in record.games), **more)
    match.snapshot = replayed_state(match).snapshot()
    match.save(update_fields=["snapshot"])
    return match
