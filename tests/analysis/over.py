"""Finished matches with all that their pages show."""

from __future__ import annotations

from accounts.models import User
from games.models import Match
from games.selectors import table
from tests.games.finished import keep, sample


def over(name: str, white: User, black: User, **more: object) -> Match:
    """The match of a file out of tests/data/matches, as if these two had played it here."""
    record = sample(name)
    match = keep(record, white, black, version=sum(len(game.actions) for game in record.games), **more)
    match.snapshot = table.match_replay_state(match).snapshot()
    match.save(update_fields=["snapshot"])
    return match
