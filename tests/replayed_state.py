"""The state of a match replayed from its recorded actions, to compare with its snapshot."""

from __future__ import annotations

from games import replay, take_back
from games.events import start_state
from games.models import Match


def replayed_state(match: Match) -> replay.State:
    """Replay all recorded actions of a match; the result equals the snapshot, whatever happened."""
    start = start_state(match, match.games.order_by("number")[:1])
    rows = take_back.standing(match.actions.order_by("n"))
    return replay.fold(start, ((row.actor, row.text) for row in rows))
