"""What ladders and statistics hear from play, and play from people.

Not to hear that a match has ended costs nothing: the sweeps find what was missed.
"""

from __future__ import annotations

import logging
from typing import Any

from django.dispatch import receiver

from accounts.models import Tie, User
from accounts.signals import ties_changed
from games import notify
from games.models import Match
from games.services import challenges_end, ladders
from games.signals import match_finished

WATCHED = (Match.Status.OPEN, Match.Status.LIVE)

log = logging.getLogger(__name__)


@receiver(match_finished)
def take_result(sender: object, match_id: str, **more: Any) -> None:
    """A match has ended: if it counts on a ladder, its result goes there."""
    try:
        ladders.match_over(match_id=match_id)
    except Exception:  # the sweep tries again; the player's own act has been committed and is not to fail
        log.exception("ladder of %s", match_id)


@receiver(match_finished)
def count(sender: object, match_id: str, **more: Any) -> None:
    """A match has ended: a worker counts it, because replaying it takes longer than a player should wait."""
    notify.facts_wanted(match_id)


@receiver(ties_changed)
def part(sender: object, by_id: int, about_id: int, kind: str, tied: bool, **more: Any) -> None:
    """A block ends what the two had called each other to, and neither goes on watching the other. In its transaction.

    The ladders first: who locks a ladder locks its matches after it.
    """
    if kind != Tie.Kind.BLOCK or not tied:
        return
    people = User.objects.in_bulk((by_id, about_id))
    ladders.calls_end(by=people[by_id], other=people[about_id])
    challenges_end(by=people[by_id], other=people[about_id])
    for player, viewer in ((by_id, about_id), (about_id, by_id)):
        tables = Match.objects.filter(seats__user=player, seats__ended_at=None, status__in=WATCHED)
        for match_id in tables.values_list("pk", flat=True):
            notify.viewer_parted(match_id, viewer)
        notify.user_heard(viewer, {"t": "lobby"})  # what either offers is gone from the other's lists
