"""What ladders tell a player's open pages. The shapes are in docs/protocol.md."""

from __future__ import annotations

from games.engine import Json
from ladders.models import LadderChallenge


def challenged(challenge: LadderChallenge) -> Json:
    """Build the event for a player who is challenged on a ladder; the ladder and both players are fetched."""
    return {
        "t": "ladder",
        "id": challenge.pk,
        "url": f"/ladders/{challenge.ladder_id}/",
        "title": challenge.ladder.name,
        "from": challenge.challenger.username,
    }
