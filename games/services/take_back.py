"""The state of a match before a play, to which taking it back returns (games.take_back)."""

from __future__ import annotations

from games import replay, take_back
from games.events import start_state
from games.models import Action, Match


def state_before(match: Match, n: int) -> replay.State:
    """The state before action `n`, folded from the recorded actions. Two queries."""
    rows = Action.objects.filter(match=match, n__lt=n).order_by("n").only("match_id", "n", "actor", "text")
    start = start_state(match, match.games.order_by("number")[:1])
    return replay.fold(start, ((row.actor, row.text) for row in take_back.standing(rows)))
