"""The state of a match replayed from its recorded actions, to compare with its snapshot."""

from __future__ import annotations

from games import replay
from games.events import start_state
from games.models import Match


def replayed_state(match: Match) -> replay.State:
    """Replay all recorded actions of a match; the result equals the snapshot, whatever happened."""
    start = start_state(match, match.games.order_by("number")[:1])
    return replay.fold(start, match.actions.order_by("n").values_list("actor", "text"))
